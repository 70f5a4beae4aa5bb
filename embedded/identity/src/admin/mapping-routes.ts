import { listClients, requireClient } from '../directory/clients.ts'
import { requireGroup } from '../directory/groups.ts'
import { listRoles, type Role, resolveRoles, roleToJson } from '../directory/roles.ts'
import { requireUser } from '../directory/users.ts'
import { requireGrantable, requireNotAbove } from './caller.ts'
import { directRoles, giveRoles, groupHolder, type Holder, heldRoles, takeRoles, userHolder } from './mapping-store.ts'
import { type Call, done, groupsView, ok, param, type Reply, type Route, usersManage, usersView } from './route.ts'

type FindHolder = (call: Call) => Promise<Holder>

/** The roles of the realm, or of the client that the path names. */
const scopeOf = async (call: Call): Promise<string | null> =>
  call.params.client === undefined ? null : (await requireClient(call.db, call.realm.id, call.params.client)).id

const write = (call: Call, roles: readonly Role[]) => ok(roles.map((role) => roleToJson(call.realm, role)))

function mappingAnswers(find: FindHolder) {
  const assigned = async (call: Call): Promise<Reply> =>
    write(call, await directRoles(call.db, await find(call), await scopeOf(call)))

  const composite = async (call: Call): Promise<Reply> => {
    const held = new Set((await heldRoles(call.db, await find(call))).map((role) => role.id))
    const all = await listRoles(call.db, call.realm.id, (await scopeOf(call)) ?? undefined)
    return write(
      call,
      all.filter((role) => held.has(role.id)),
    )
  }

  const available = async (call: Call): Promise<Reply> => {
    const scope = await scopeOf(call)
    const given = new Set((await directRoles(call.db, await find(call), scope)).map((role) => role.id))
    const all = await listRoles(call.db, call.realm.id, scope ?? undefined)
    return write(
      call,
      all.filter((role) => !given.has(role.id)),
    )
  }

  const change =
    (apply: typeof giveRoles) =>
    async (call: Call): Promise<Reply> => {
      const holder = await find(call)
      const roleIds = (await resolveRoles(call.db, call.realm.id, call.body, await scopeOf(call))).map(
        (role) => role.id,
      )
      // Looked at and done in one breath, so that no role grows between the two.
      await call.db.transaction(async (tx) => {
        await tx.run('select 1 from role where id = any($1) for share', [roleIds])
        await requireGrantable(tx, call.caller, roleIds)
        if (holder.table === 'user_role') await requireNotAbove(tx, call.caller, holder.id)
        await apply(tx, holder, roleIds)
      })
      return done
    }

  const everything = async (call: Call): Promise<Reply> => {
    const roles = await directRoles(call.db, await find(call), undefined)
    const byClient = Map.groupBy(
      roles.filter((role) => role.client !== null),
      (role) => role.client,
    )
    const clients = await listClients(call.db, call.realm.id)
    const clientMappings = clients.flatMap((client) => {
      const mappings = byClient.get(client.id)
      if (!mappings) return []
      const content = {
        id: client.id,
        client: client.client_id,
        mappings: mappings.map((role) => roleToJson(call.realm, role)),
      }
      return [[client.client_id, content] as const]
    })
    const realmMappings = roles.filter((role) => role.client === null).map((role) => roleToJson(call.realm, role))
    return ok({
      ...(realmMappings.length > 0 ? { realmMappings } : {}),
      ...(clientMappings.length > 0 ? { clientMappings: Object.fromEntries(clientMappings) } : {}),
    })
  }

  return { assigned, composite, available, everything, give: change(giveRoles), take: change(takeRoles) }
}

function routesFor(prefix: string, find: FindHolder, view: readonly string[]): Route[] {
  const answers = mappingAnswers(find)
  const scoped = ['/realm', '/clients/:client'].flatMap((scope): Route[] => {
    const path = `${prefix}/role-mappings${scope}`
    return [
      { method: 'GET', path, needs: view, answer: answers.assigned },
      { method: 'GET', path: `${path}/available`, needs: view, answer: answers.available },
      { method: 'GET', path: `${path}/composite`, needs: view, answer: answers.composite },
      { method: 'POST', path, needs: usersManage, answer: answers.give },
      { method: 'DELETE', path, needs: usersManage, answer: answers.take },
    ]
  })
  return [{ method: 'GET', path: `${prefix}/role-mappings`, needs: view, answer: answers.everything }, ...scoped]
}

/** Giving roles to users and groups and taking them back. */
export const mappingRoutes: readonly Route[] = [
  ...routesFor(
    '/users/:id',
    async (call) => userHolder((await requireUser(call.db, call.realm.id, param(call, 'id'))).id),
    usersView,
  ),
  ...routesFor(
    '/groups/:id',
    async (call) => groupHolder((await requireGroup(call.db, call.realm.id, param(call, 'id'))).id),
    groupsView,
  ),
]
