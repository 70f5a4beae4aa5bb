import { pathOf } from '@quayside/contract/http/path'
import { credentials as credentialEndpoints } from '@quayside/contract/users/credentials'
import { users as endpoints } from '@quayside/contract/users/endpoints'
import { lockouts as lockoutEndpoints } from '@quayside/contract/users/lockouts'
import { credentialPolicies, lockoutPolicies, userPolicies } from '@quayside/contract/users/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { ActionMail } from './action-mail.ts'
import type { UserAdministration } from './administration.ts'
import type { Credentials } from './credentials.ts'
import type { Users } from './index.ts'
import type { Lockouts } from './lockouts.ts'
import type { Memberships } from './memberships.ts'
import type { UserSessions } from './sessions.ts'

interface Parts {
  users: Users
  administration: UserAdministration
  memberships: Memberships
  credentials: Credentials
  actionMail: ActionMail
  sessions: UserSessions
  lockouts: Lockouts
}

export function routes(http: Http, parts: Parts): void {
  const { users, administration, memberships, credentials, actionMail, sessions, lockouts } = parts
  serve(http, endpoints, userPolicies, {
    listUsers: async ({ actor }) => ({ data: await users.all(actor.realm) }),
    findUsers: ({ actor, query }) => users.find(actor.realm, query, pathOf(endpoints.findUsers)),
    getUser: ({ actor, params }) => administration.get(actor, params.id),
    getUserByName: ({ actor, params }) => administration.getByName(actor, params.username),
    createUser: ({ actor, body }) => administration.create(actor, body),
    updateUser: ({ actor, params, body }) => administration.update(actor, params.id, body),
    deleteUser: ({ actor, params }) => administration.remove(actor, params.id),
    userGroups: async ({ actor, params }) => ({ data: await users.groupsOf(actor.realm, params.id) }),
    joinGroup: ({ actor, params }) => memberships.join(actor, params),
    leaveGroup: ({ actor, params }) => memberships.leave(actor, params),
  })
  serve(http, credentialEndpoints, credentialPolicies, {
    listCredentials: async ({ actor, params }) => ({ data: await credentials.list(actor, params.id) }),
    deleteCredential: ({ actor, params }) => credentials.remove(actor, params),
    listLinks: async ({ actor, params }) => ({ data: await credentials.links(actor, params.id) }),
    removeLink: ({ actor, params }) => credentials.unlink(actor, params),
    resetPassword: ({ actor, params, body }) => credentials.resetPassword(actor, params, body),
    resetPasswordIn: ({ actor, params, body }) => credentials.resetPassword(actor, params, body),
    disableCredentials: ({ actor, params, body }) => credentials.disable(actor, params, body),
    disableCredentialsIn: ({ actor, params, body }) => credentials.disable(actor, params, body),
    mailActions: ({ actor, params, body }) => actionMail.send(actor, params, body),
    mailActionsIn: ({ actor, params, body }) => actionMail.send(actor, params, body),
    listSessions: async ({ actor, params }) => ({ data: await sessions.list(actor, params.id) }),
    endSessions: ({ actor, params }) => sessions.end(actor, params.id),
    listConsents: async ({ actor, params }) => ({ data: await sessions.consents(actor, params.id) }),
  })
  serve(http, lockoutEndpoints, lockoutPolicies, {
    findLockouts: async ({ actor, body }) => ({ data: await lockouts.of(actor, body.ids) }),
    unlockUser: ({ actor, params }) => lockouts.unlockUser(actor, params.id),
    listLockedAddresses: async ({ actor }) => ({ data: await lockouts.addresses(actor) }),
    unlockAddress: ({ actor, params }) => lockouts.unlockAddress(actor, params.address),
    listUnlockings: ({ actor, query }) => lockouts.unlockings(actor, query, pathOf(lockoutEndpoints.listUnlockings)),
  })
}
