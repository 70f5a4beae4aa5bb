import { pathOf } from '@quayside/contract/http/path'
import { users as endpoints } from '@quayside/contract/users/endpoints'
import { lockouts as lockoutEndpoints } from '@quayside/contract/users/lockouts'
import { lockoutPolicies, userPolicies } from '@quayside/contract/users/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Users } from './index.ts'
import type { Lockouts } from './lockouts.ts'

export function routes(http: Http, { users, lockouts }: { users: Users; lockouts: Lockouts }): void {
  serve(http, endpoints, userPolicies, {
    listUsers: async ({ actor }) => ({ data: await users.all(actor.realm) }),
    findUsers: ({ actor, query }) => users.find(actor.realm, query, pathOf(endpoints.findUsers)),
    getUser: ({ actor, params }) => users.get(actor.realm, params.id),
    userGroups: async ({ actor, params }) => ({ data: await users.groupsOf(actor.realm, params.id) }),
  })
  serve(http, lockoutEndpoints, lockoutPolicies, {
    findLockouts: async ({ actor, body }) => ({ data: await lockouts.of(actor, body.ids) }),
    unlockUser: ({ actor, params }) => lockouts.unlockUser(actor, params.id),
    listLockedAddresses: async ({ actor }) => ({ data: await lockouts.addresses(actor) }),
    unlockAddress: ({ actor, params }) => lockouts.unlockAddress(actor, params.address),
    listUnlockings: ({ actor, query }) => lockouts.unlockings(actor, query, pathOf(lockoutEndpoints.listUnlockings)),
  })
}
