import { requireClient } from '../directory/clients.ts'
import { defaultRoleName } from '../directory/realms.ts'
import {
  addComposites,
  createRole,
  deleteRole,
  findRoleById,
  listComposites,
  listRoles,
  type Role,
  removeComposites,
  requireRole,
  resolveRoles,
  roleToJson,
  updateRole,
} from '../directory/roles.ts'
import { usersInRole } from '../directory/user-search.ts'
import { userToJson } from '../directory/users.ts'
import { badRequest, notFound } from '../http/problem.ts'
import { requireGrantable } from './caller.ts'
import {
  bodyObject,
  type Call,
  clientsManage,
  clientsView,
  created,
  done,
  flagParam,
  numberParam,
  ok,
  paging,
  param,
  type Reply,
  type Route,
  realmManage,
  rolesView,
  textParam,
} from './route.ts'

type FindRole = (call: Call) => Promise<Role>

const ownerOf = async (call: Call) =>
  call.params.client === undefined ? undefined : (await requireClient(call.db, call.realm.id, call.params.client)).id

const byName: FindRole = async (call) => requireRole(call.db, call.realm.id, await ownerOf(call), param(call, 'name'))

const byId: FindRole = async (call) => {
  const role = await findRoleById(call.db, call.realm.id, param(call, 'role'))
  if (!role) throw notFound('Could not find role with id: Role')
  return role
}

function refuseBuiltin(call: Call, role: Role): void {
  const isDefault = role.client === null && role.name === defaultRoleName(call.realm.name)
  if (isDefault) throw badRequest(`${role.name} is default role of the realm and cannot be removed.`)
  const isAdmin = role.client === null && call.realm.name === 'master' && role.name === 'admin'
  if (isAdmin) throw badRequest('Built-in roles cannot be removed')
}

async function list(call: Call): Promise<Reply> {
  const { query } = call
  const brief = flagParam(query, 'briefRepresentation') ?? true
  const roles = await listRoles(call.db, call.realm.id, await ownerOf(call), {
    search: textParam(query, 'search'),
    first: numberParam(query, 'first'),
    max: numberParam(query, 'max'),
  })
  return ok(roles.map((role) => roleToJson(call.realm, role, !brief)))
}

async function create(call: Call): Promise<Reply> {
  const role = await createRole(call.db, call.realm, await ownerOf(call), bodyObject(call))
  const base = call.params.client === undefined ? call.address : `${call.address}/clients/${call.params.client}`
  return created(`${base}/roles/${encodeURIComponent(role.name)}`)
}

const changeAnswers = (find: FindRole) => ({
  read: async (call: Call) => ok(roleToJson(call.realm, await find(call), true)),
  update: async (call: Call) => {
    await updateRole(call.db, await find(call), bodyObject(call))
    return done
  },
  remove: async (call: Call) => {
    const role = await find(call)
    refuseBuiltin(call, role)
    await deleteRole(call.db, role)
    return done
  },
  composites: async (call: Call) => {
    const search = textParam(call.query, 'search')?.toLowerCase() ?? ''
    const { first, max } = paging(call, 1_000_000)
    const inside = (await listComposites(call.db, (await find(call)).id)).filter(({ name }) =>
      name.toLowerCase().includes(search),
    )
    return ok(inside.slice(first, first + max).map((role) => roleToJson(call.realm, role)))
  },
  compositesOf: async (call: Call) => {
    const owner = call.params.of ?? null
    const inside = (await listComposites(call.db, (await find(call)).id)).filter((role) => role.client === owner)
    return ok(inside.map((role) => roleToJson(call.realm, role)))
  },
  addComposites: async (call: Call) => {
    const role = await find(call)
    const children = (await resolveRoles(call.db, call.realm.id, call.body)).map((child) => child.id)
    if (children.includes(role.id)) throw badRequest('A role cannot contain itself')
    await call.db.transaction(async (tx) => {
      await tx.run('select 1 from role where id = any($1) for share', [children])
      await requireGrantable(tx, call.caller, children)
      await addComposites(tx, role.id, children)
    })
    return done
  },
  removeComposites: async (call: Call) => {
    const role = await find(call)
    const children = (await resolveRoles(call.db, call.realm.id, call.body)).map((child) => child.id)
    await removeComposites(call.db, role.id, children)
    return done
  },
})

async function users(call: Call): Promise<Reply> {
  const role = await byName(call)
  const { first, max } = paging(call, 100)
  return ok((await usersInRole(call.db, role.id, first, max)).map((user) => userToJson(user, true)))
}

function routesAt(path: string, find: FindRole, view: readonly string[], manage: readonly string[]): Route[] {
  const answers = changeAnswers(find)
  return [
    { method: 'GET', path, needs: view, answer: answers.read },
    { method: 'PUT', path, needs: manage, answer: answers.update },
    { method: 'DELETE', path, needs: manage, answer: answers.remove },
    { method: 'GET', path: `${path}/composites`, needs: view, answer: answers.composites },
    { method: 'POST', path: `${path}/composites`, needs: manage, answer: answers.addComposites },
    { method: 'DELETE', path: `${path}/composites`, needs: manage, answer: answers.removeComposites },
    { method: 'GET', path: `${path}/composites/realm`, needs: view, answer: answers.compositesOf },
    { method: 'GET', path: `${path}/composites/clients/:of`, needs: view, answer: answers.compositesOf },
  ]
}

function routesUnder(prefix: string, view: readonly string[], manage: readonly string[]): Route[] {
  return [
    { method: 'GET', path: `${prefix}/roles`, needs: view, answer: list },
    { method: 'POST', path: `${prefix}/roles`, needs: manage, answer: create },
    ...routesAt(`${prefix}/roles/:name`, byName, view, manage),
    { method: 'GET', path: `${prefix}/roles/:name/users`, needs: view, answer: users },
    { method: 'GET', path: `${prefix}/roles/:name/groups`, needs: view, answer: groups },
  ]
}

async function groups(call: Call): Promise<Reply> {
  const role = await byName(call)
  const rows = await call.db.rows<{ id: string; name: string }>(
    'select g.id, g.name from user_group g join group_role x on x.group_id = g.id where x.role_id = $1 order by g.name',
    [role.id],
  )
  return ok(rows)
}

/** Roles of the realm and of clients, and what composite ones contain. */
export const roleRoutes: readonly Route[] = [
  ...routesUnder('', rolesView, realmManage),
  ...routesUnder('/clients/:client', [...clientsView, ...rolesView], clientsManage),
  ...routesAt('/roles-by-id/:role', byId, rolesView, realmManage),
]
