import { credentialsOf, credentialToJson, removeCredentials, setPassword } from '../directory/credentials.ts'
import { groupsOfUser, groupToJson, requireGroup } from '../directory/groups.ts'
import { endSessionsOfUser, endSignInsOfUser, sessionsOfUser } from '../directory/sessions.ts'
import { attributeFilters, countUsers, searchUsers, type UserQuery } from '../directory/user-search.ts'
import {
  createUser,
  deleteUser,
  dropAction,
  requireAction,
  requireUser,
  type User,
  updateUser,
  userToJson,
} from '../directory/users.ts'
import type { JsonObject } from '../http/exchange.ts'
import { badRequest, notFound, Problem } from '../http/problem.ts'
import { requireGrantable, requireNotAbove } from './caller.ts'
import { groupRoleIds } from './mapping-store.ts'
import {
  bodyObject,
  type Call,
  created,
  done,
  flagParam,
  ok,
  paging,
  param,
  type Reply,
  type Route,
  textParam,
  usersManage,
  usersView,
} from './route.ts'

const target = (call: Call) => requireUser(call.db, call.realm.id, param(call, 'id'))

/** The user that the path names, when the caller may change them. */
async function changeable(call: Call): Promise<User> {
  const user = await target(call)
  await requireNotAbove(call.db, call.caller, user.id)
  return user
}

function readQuery(query: URLSearchParams): UserQuery {
  return {
    search: textParam(query, 'search'),
    username: textParam(query, 'username'),
    email: textParam(query, 'email'),
    firstName: textParam(query, 'firstName'),
    lastName: textParam(query, 'lastName'),
    enabled: flagParam(query, 'enabled'),
    emailVerified: flagParam(query, 'emailVerified'),
    exact: flagParam(query, 'exact') ?? false,
    attributes: attributeFilters(query.get('q') ?? ''),
  }
}

async function list(call: Call): Promise<Reply> {
  const { first, max } = paging(call, 100)
  const brief = flagParam(call.query, 'briefRepresentation') ?? false
  const users = await searchUsers(call.db, call.realm.id, readQuery(call.query), first, max)
  return ok(users.map((user) => userToJson(user, brief)))
}

interface SentCredential {
  type?: unknown
  value?: unknown
  temporary?: unknown
}

async function applyPassword(
  call: Call,
  user: { id: string; username: string; email: string | null; required_actions: string[] },
  sent: SentCredential,
  keepDuty = false,
) {
  if (sent.type !== undefined && sent.type !== 'password') throw badRequest('Only passwords can be set')
  if (typeof sent.value !== 'string' || sent.value === '') throw new Problem(400, { error: 'No password provided' })
  await setPassword(call.db, user, sent.value, call.realm.settings.passwordPolicy)
  // A lasting password lifts the duty to change it, except where the same request asks for both.
  const mustChange = sent.temporary === true || (keepDuty && user.required_actions.includes('UPDATE_PASSWORD'))
  await (mustChange ? requireAction : dropAction)(call.db, user.id, 'UPDATE_PASSWORD')
  await endSignInsOfUser(call.db, user.id)
}

async function create(call: Call): Promise<Reply> {
  const sent = bodyObject(call)
  const id = await call.db.transaction(async (tx) => {
    const inside = { ...call, db: tx }
    const userId = await createUser(tx, call.realm, sent)
    const user = await requireUser(tx, call.realm.id, userId)
    const credentials = Array.isArray(sent.credentials) ? (sent.credentials as SentCredential[]) : []
    for (const credential of credentials) await applyPassword(inside, user, credential, true)
    const paths = Array.isArray(sent.groups) ? sent.groups : []
    for (const path of paths) {
      const all = await tx.row<{ id: string }>(
        'select id from user_group where realm_id = $1 and (id = $2 or name = $2)',
        [call.realm.id, String(path).split('/').at(-1)],
      )
      if (!all) throw badRequest(`Unable to find group specified by path: ${String(path)}`)
      await joinGroup(inside, userId, all.id)
    }
    return userId
  })
  return created(`${call.address}/users/${id}`)
}

async function update(call: Call): Promise<Reply> {
  const user = await changeable(call)
  const sent = bodyObject(call)
  await call.db.transaction(async (tx) => {
    await updateUser(tx, call.realm, user.id, sent)
    const inside = { ...call, db: tx }
    const changed = await requireUser(tx, call.realm.id, user.id)
    const credentials = Array.isArray(sent.credentials) ? (sent.credentials as SentCredential[]) : []
    for (const credential of credentials) await applyPassword(inside, changed, credential, true)
    if (sent.enabled === false) await endSessionsOfUser(tx, call.realm.id, user.id)
  })
  return done
}

async function remove(call: Call): Promise<Reply> {
  const user = await changeable(call)
  await call.db.transaction(async (tx) => {
    await endSessionsOfUser(tx, call.realm.id, user.id)
    await deleteUser(tx, user)
  })
  return done
}

async function resetPassword(call: Call): Promise<Reply> {
  const user = await changeable(call)
  const sent = bodyObject(call)
  await call.db.transaction((tx) => applyPassword({ ...call, db: tx }, user, sent))
  return done
}

async function joinGroup(call: Call, userId: string, groupId: string): Promise<void> {
  const group = await requireGroup(call.db, call.realm.id, groupId)
  await requireGrantable(call.db, call.caller, await groupRoleIds(call.db, group.id))
  await call.db.run('insert into group_member (group_id, user_id) values ($1, $2) on conflict do nothing', [
    group.id,
    userId,
  ])
}

async function leaveGroup(call: Call): Promise<Reply> {
  const user = await changeable(call)
  const group = await requireGroup(call.db, call.realm.id, param(call, 'group'))
  await call.db.run('delete from group_member where group_id = $1 and user_id = $2', [group.id, user.id])
  return done
}

async function wantedGroups(call: Call) {
  const search = textParam(call.query, 'search')?.toLowerCase() ?? ''
  const groups = await groupsOfUser(call.db, call.realm.id, (await target(call)).id)
  return groups.filter(({ name }) => name.toLowerCase().includes(search))
}

async function listGroups(call: Call): Promise<Reply> {
  const { first, max } = paging(call, 1_000_000)
  const groups = await wantedGroups(call)
  return ok(groups.slice(first, first + max).map((group) => groupToJson(group, true)))
}

async function deleteCredential(call: Call): Promise<Reply> {
  const user = await changeable(call)
  const removed = await call.db.run('delete from credential where user_id = $1 and id = $2', [
    user.id,
    param(call, 'credential'),
  ])
  if (removed === 0) throw notFound('Credential')
  await endSignInsOfUser(call.db, user.id)
  return done
}

async function renameCredential(call: Call): Promise<Reply> {
  const user = await changeable(call)
  if (typeof call.body !== 'string' || call.body.length > 255)
    throw badRequest('userLabel must be a text of at most 255 characters')
  const changed = await call.db.run('update credential set label = $3 where user_id = $1 and id = $2', [
    user.id,
    param(call, 'credential'),
    call.body,
  ])
  if (changed === 0) throw notFound('Credential')
  return done
}

async function disableTypes(call: Call): Promise<Reply> {
  const user = await changeable(call)
  if (!Array.isArray(call.body)) throw badRequest('A list of credential types is expected')
  await removeCredentials(call.db, user.id, call.body.map(String))
  await endSignInsOfUser(call.db, user.id)
  return done
}

interface ConsentRow {
  client_id: string
  scopes: string[]
  granted_at: Date
  updated_at: Date
}

async function consents(call: Call): Promise<Reply> {
  const user = await target(call)
  const rows = await call.db.rows<ConsentRow>(
    `select c.client_id, x.scopes, x.granted_at, x.updated_at from consent x join client c on c.id = x.client
     where x.user_id = $1 order by c.client_id`,
    [user.id],
  )
  return ok(
    rows.map(
      (row): JsonObject => ({
        clientId: row.client_id,
        grantedClientScopes: row.scopes,
        createdDate: row.granted_at.getTime(),
        lastUpdatedDate: row.updated_at.getTime(),
        additionalGrants: [],
      }),
    ),
  )
}

async function revokeConsent(call: Call): Promise<Reply> {
  const user = await changeable(call)
  const removed = await call.db.run(
    'delete from consent x using client c where c.id = x.client and x.user_id = $1 and c.client_id = $2 and c.realm_id = $3',
    [user.id, param(call, 'client'), call.realm.id],
  )
  if (removed === 0) throw notFound('Consent nor offline token')
  await call.db.run(
    `delete from oidc_artifact where realm_id = $1 and account_id = $2 and model in ('Grant', 'RefreshToken')
       and payload ->> 'clientId' = $3`,
    [call.realm.id, user.id, param(call, 'client')],
  )
  return done
}

async function logout(call: Call): Promise<Reply> {
  await endSessionsOfUser(call.db, call.realm.id, (await changeable(call)).id)
  return done
}

/** Users: who they are, how they sign in, where they are signed in. */
export const userRoutes: readonly Route[] = [
  { method: 'GET', path: '/users', needs: usersView, answer: list },
  {
    method: 'GET',
    path: '/users/count',
    needs: usersView,
    answer: async (c) => ok(await countUsers(c.db, c.realm.id, readQuery(c.query))),
  },
  { method: 'POST', path: '/users', needs: usersManage, answer: create },
  { method: 'GET', path: '/users/:id', needs: usersView, answer: async (c) => ok(userToJson(await target(c))) },
  { method: 'PUT', path: '/users/:id', needs: usersManage, answer: update },
  { method: 'DELETE', path: '/users/:id', needs: usersManage, answer: remove },
  { method: 'PUT', path: '/users/:id/reset-password', needs: usersManage, answer: resetPassword },
  { method: 'GET', path: '/users/:id/groups', needs: usersView, answer: listGroups },
  {
    method: 'GET',
    path: '/users/:id/groups/count',
    needs: usersView,
    answer: async (c) => ok({ count: (await wantedGroups(c)).length }),
  },
  {
    method: 'PUT',
    path: '/users/:id/groups/:group',
    needs: usersManage,
    answer: async (c) => {
      await joinGroup(c, (await changeable(c)).id, param(c, 'group'))
      return done
    },
  },
  { method: 'DELETE', path: '/users/:id/groups/:group', needs: usersManage, answer: leaveGroup },
  {
    method: 'GET',
    path: '/users/:id/credentials',
    needs: usersView,
    answer: async (c) => ok((await credentialsOf(c.db, (await target(c)).id)).map(credentialToJson)),
  },
  { method: 'DELETE', path: '/users/:id/credentials/:credential', needs: usersManage, answer: deleteCredential },
  { method: 'PUT', path: '/users/:id/credentials/:credential/userLabel', needs: usersManage, answer: renameCredential },
  {
    method: 'GET',
    path: '/users/:id/configured-user-storage-credential-types',
    needs: usersView,
    answer: async () => ok([]),
  },
  { method: 'PUT', path: '/users/:id/disable-credential-types', needs: usersManage, answer: disableTypes },
  {
    method: 'GET',
    path: '/users/:id/sessions',
    needs: usersView,
    answer: async (c) => ok(await sessionsOfUser(c.db, c.realm, (await target(c)).id)),
  },
  { method: 'GET', path: '/users/:id/offline-sessions/:client', needs: usersView, answer: async () => ok([]) },
  { method: 'GET', path: '/users/:id/consents', needs: usersView, answer: consents },
  { method: 'DELETE', path: '/users/:id/consents/:client', needs: usersManage, answer: revokeConsent },
  { method: 'POST', path: '/users/:id/logout', needs: usersManage, answer: logout },
]
