import {
  attackStatus,
  clearAddress,
  clearAttempts,
  clearRealmAttempts,
  lockedAddresses,
} from '../attack-detection/login-attempts.ts'
import { childGroups, defaultGroups, groupByPath, groupToJson, requireGroup } from '../directory/groups.ts'
import { checkPolicyText } from '../directory/password-policy.ts'
import { deleteRealm, realmToJson, updateRealm } from '../directory/realms.ts'
import { endAllSessions, endSession, sessionCounts } from '../directory/sessions.ts'
import { requireUser } from '../directory/users.ts'
import { badRequest, forbidden, notFound } from '../http/problem.ts'
import { listKeys } from '../oidc/signing-keys.ts'
import { requireGrantable } from './caller.ts'
import { groupRoleIds } from './mapping-store.ts'
import {
  bodyObject,
  type Call,
  done,
  groupsView,
  ok,
  param,
  type Reply,
  type Route,
  realmManage,
  realmView,
  rolesView,
  usersManage,
  usersView,
} from './route.ts'

async function update(call: Call): Promise<Reply> {
  const sent = bodyObject(call)
  if (typeof sent.realm === 'string' && sent.realm !== call.realm.name) throw badRequest('A realm cannot be renamed')
  if (typeof sent.passwordPolicy === 'string') checkPolicyText(sent.passwordPolicy)
  await updateRealm(call.db, call.realm, sent)
  call.realmChanged()
  return done
}

async function remove(call: Call): Promise<Reply> {
  if (!call.caller.allPowerful || call.realm.name === 'master') throw forbidden()
  await deleteRealm(call.db, call.realm)
  call.realmChanged()
  return done
}

async function addDefaultGroup(call: Call): Promise<Reply> {
  const group = await requireGroup(call.db, call.realm.id, param(call, 'id'))
  await requireGrantable(call.db, call.caller, await groupRoleIds(call.db, group.id))
  await call.db.run('insert into default_group (realm_id, group_id) values ($1, $2) on conflict do nothing', [
    call.realm.id,
    group.id,
  ])
  return done
}

async function bruteForceStatus(call: Call): Promise<Reply> {
  const user = await requireUser(call.db, call.realm.id, param(call, 'id'))
  return ok(await attackStatus(call.db, call.realm.id, user.id))
}

const requiredActions = [
  {
    alias: 'CONFIGURE_TOTP',
    name: 'Configure OTP',
    providerId: 'CONFIGURE_TOTP',
    enabled: true,
    defaultAction: false,
    priority: 10,
    config: {},
  },
  {
    alias: 'UPDATE_PASSWORD',
    name: 'Update Password',
    providerId: 'UPDATE_PASSWORD',
    enabled: true,
    defaultAction: false,
    priority: 30,
    config: {},
  },
  {
    alias: 'UPDATE_PROFILE',
    name: 'Update Profile',
    providerId: 'UPDATE_PROFILE',
    enabled: true,
    defaultAction: false,
    priority: 40,
    config: {},
  },
  {
    alias: 'VERIFY_EMAIL',
    name: 'Verify Email',
    providerId: 'VERIFY_EMAIL',
    enabled: true,
    defaultAction: false,
    priority: 50,
    config: {},
  },
  {
    alias: 'webauthn-register',
    name: 'Webauthn Register',
    providerId: 'webauthn-register',
    enabled: true,
    defaultAction: false,
    priority: 70,
    config: {},
  },
  {
    alias: 'webauthn-register-passwordless',
    name: 'Webauthn Register Passwordless',
    providerId: 'webauthn-register-passwordless',
    enabled: true,
    defaultAction: false,
    priority: 80,
    config: {},
  },
]

async function endOneSession(call: Call): Promise<Reply> {
  const ended = await endSession(call.db, call.realm.id, param(call, 'id'))
  if (ended === 0) throw notFound('Session')
  return done
}

/** The realm itself: settings, default groups, sessions and brute-force counters. */
export const realmRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '',
    needs: [...realmView, 'query-realms', ...usersView],
    answer: async (c) => ok(await realmToJson(c.db, c.realm, false)),
  },
  { method: 'PUT', path: '', needs: realmManage, answer: update },
  { method: 'DELETE', path: '', needs: realmManage, answer: remove },
  {
    method: 'GET',
    path: '/default-groups',
    needs: realmView,
    answer: async (c) => ok((await defaultGroups(c.db, c.realm.id)).map((g) => groupToJson(g, true))),
  },
  { method: 'PUT', path: '/default-groups/:id', needs: realmManage, answer: addDefaultGroup },
  {
    method: 'DELETE',
    path: '/default-groups/:id',
    needs: realmManage,
    answer: async (c) => {
      await c.db.run('delete from default_group where realm_id = $1 and group_id = $2', [c.realm.id, param(c, 'id')])
      return done
    },
  },
  {
    method: 'GET',
    path: '/group-by-path/*path',
    needs: groupsView,
    answer: async (c) => ok(groupToJson(await groupByPath(c.db, c.realm.id, param(c, 'path')), false)),
  },
  {
    method: 'GET',
    path: '/top-level-groups',
    needs: groupsView,
    answer: async (c) => ok((await childGroups(c.db, c.realm.id, null)).map((g) => groupToJson(g, true))),
  },
  {
    method: 'GET',
    path: '/client-session-stats',
    needs: realmView,
    answer: async (c) => ok(await sessionCounts(c.db, c.realm)),
  },
  { method: 'DELETE', path: '/sessions/:id', needs: usersManage, answer: endOneSession },
  {
    method: 'POST',
    path: '/logout-all',
    needs: usersManage,
    answer: async (c) => {
      await endAllSessions(c.db, c.realm.id)
      // Keycloak lists the clients that it has told at their admin address; here no client has one.
      return ok({})
    },
  },
  // A new `notBefore` holds as soon as it is saved; clients ask here whether a token counts, so none has to be told.
  { method: 'POST', path: '/push-revocation', needs: realmManage, answer: async () => ok({}) },
  { method: 'GET', path: '/attack-detection/brute-force/users/:id', needs: usersView, answer: bruteForceStatus },
  {
    method: 'DELETE',
    path: '/attack-detection/brute-force/users/:id',
    needs: usersManage,
    answer: async (c) => {
      await clearAttempts(c.db, c.realm.id, (await requireUser(c.db, c.realm.id, param(c, 'id'))).id)
      return done
    },
  },
  {
    method: 'DELETE',
    path: '/attack-detection/brute-force/users',
    needs: usersManage,
    answer: async (c) => {
      await clearRealmAttempts(c.db, c.realm.id)
      return done
    },
  },
  // Keycloak counts by account alone and has no such calls.
  {
    method: 'GET',
    path: '/attack-detection/brute-force/addresses',
    needs: usersView,
    answer: async (c) => ok(await lockedAddresses(c.db, c.realm.id)),
  },
  {
    method: 'DELETE',
    path: '/attack-detection/brute-force/addresses/:address',
    needs: usersManage,
    answer: async (c) => {
      if (!(await clearAddress(c.db, c.realm.id, param(c, 'address')))) throw notFound('Could not find address')
      return done
    },
  },
  {
    method: 'GET',
    path: '/authentication/required-actions',
    needs: rolesView,
    answer: async () => ok(requiredActions),
  },
  {
    method: 'GET',
    path: '/keys',
    needs: realmView,
    answer: async (c) => ok(await listKeys(c.db, c.realm.id)),
  },
]
