import { searchTree } from '../directory/group-tree.ts'
import {
  allGroups,
  childGroups,
  createGroup,
  deleteGroup,
  groupToJson,
  moveGroup,
  requireGroup,
  updateGroup,
} from '../directory/groups.ts'
import { membersOf } from '../directory/user-search.ts'
import { userToJson } from '../directory/users.ts'
import { requireGrantable } from './caller.ts'
import { directRoles, groupHolder, groupRoleIds } from './mapping-store.ts'
import {
  bodyObject,
  type Call,
  created,
  done,
  flagParam,
  groupsView,
  numberParam,
  ok,
  paging,
  param,
  type Reply,
  type Route,
  textParam,
  usersManage,
} from './route.ts'

const target = (call: Call) => requireGroup(call.db, call.realm.id, param(call, 'id'))

async function list(call: Call): Promise<Reply> {
  const { query } = call
  const groups = await allGroups(call.db, call.realm.id)
  return ok(
    searchTree(groups, {
      search: textParam(query, 'search'),
      exact: flagParam(query, 'exact') ?? false,
      first: numberParam(query, 'first') ?? 0,
      max: numberParam(query, 'max'),
      brief: flagParam(query, 'briefRepresentation') ?? true,
      withSubGroups: flagParam(query, 'populateHierarchy') ?? false,
    }),
  )
}

async function count(call: Call): Promise<Reply> {
  const search = textParam(call.query, 'search')?.toLowerCase()
  const top = flagParam(call.query, 'top') ?? false
  const groups = (await allGroups(call.db, call.realm.id)).filter(
    (group) => (!top || group.parent === null) && (search === undefined || group.name.toLowerCase().includes(search)),
  )
  return ok({ count: groups.length })
}

async function read(call: Call): Promise<Reply> {
  const group = await target(call)
  const roles = await directRoles(call.db, groupHolder(group.id), undefined)
  const names = new Map(
    (
      await call.db.rows<{ id: string; client_id: string }>('select id, client_id from client where realm_id = $1', [
        call.realm.id,
      ])
    ).map((client) => [client.id, client.client_id]),
  )
  const ofClients = Object.groupBy(
    roles.filter((role) => role.client !== null),
    (role) => names.get(role.client ?? '') ?? '',
  )
  return ok({
    ...groupToJson(group, false),
    realmRoles: roles.filter((role) => role.client === null).map((role) => role.name),
    clientRoles: Object.fromEntries(
      Object.entries(ofClients).map(([client, list]) => [client, list?.map((role) => role.name)]),
    ),
  })
}

async function children(call: Call): Promise<Reply> {
  const group = await target(call)
  const search = textParam(call.query, 'search')?.toLowerCase()
  const { first, max } = paging(call, 10)
  const all = (await childGroups(call.db, call.realm.id, group.id)).filter(
    (child) => search === undefined || child.name.toLowerCase().includes(search),
  )
  const brief = flagParam(call.query, 'briefRepresentation') ?? false
  return ok(all.slice(first, first + max).map((child) => groupToJson(child, brief)))
}

/** Makes a group below another one, or moves an existing one there when the body carries its id. */
async function addChild(call: Call): Promise<Reply> {
  const parent = await target(call)
  const sent = bodyObject(call)
  if (typeof sent.id === 'string' && sent.id !== '') {
    const moved = await requireGroup(call.db, call.realm.id, sent.id)
    // Below another parent a group takes over that parent's roles.
    await requireGrantable(call.db, call.caller, await groupRoleIds(call.db, parent.id))
    await moveGroup(call.db, call.realm.id, moved, parent)
    return done
  }
  const id = await createGroup(call.db, call.realm.id, parent.id, sent)
  return created(`${call.address}/groups/${id}`, groupToJson(await requireGroup(call.db, call.realm.id, id), false))
}

async function create(call: Call): Promise<Reply> {
  const sent = bodyObject(call)
  if (typeof sent.id === 'string' && sent.id !== '') {
    await moveGroup(call.db, call.realm.id, await requireGroup(call.db, call.realm.id, sent.id), undefined)
    return done
  }
  const id = await createGroup(call.db, call.realm.id, null, sent)
  return created(`${call.address}/groups/${id}`)
}

async function members(call: Call): Promise<Reply> {
  const group = await target(call)
  const { first, max } = paging(call, 100)
  const brief = flagParam(call.query, 'briefRepresentation') ?? true
  return ok((await membersOf(call.db, group.id, first, max)).map((user) => userToJson(user, brief)))
}

/** Groups: the tree, its members, and where each hangs. */
export const groupRoutes: readonly Route[] = [
  { method: 'GET', path: '/groups', needs: groupsView, answer: list },
  { method: 'GET', path: '/groups/count', needs: groupsView, answer: count },
  { method: 'POST', path: '/groups', needs: usersManage, answer: create },
  { method: 'GET', path: '/groups/:id', needs: groupsView, answer: read },
  {
    method: 'PUT',
    path: '/groups/:id',
    needs: usersManage,
    answer: async (c) => {
      await updateGroup(c.db, await target(c), bodyObject(c))
      return done
    },
  },
  {
    method: 'DELETE',
    path: '/groups/:id',
    needs: usersManage,
    answer: async (c) => {
      await deleteGroup(c.db, await target(c))
      return done
    },
  },
  { method: 'GET', path: '/groups/:id/children', needs: groupsView, answer: children },
  { method: 'POST', path: '/groups/:id/children', needs: usersManage, answer: addChild },
  { method: 'GET', path: '/groups/:id/members', needs: groupsView, answer: members },
]
