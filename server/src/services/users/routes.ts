import { pathOf } from '@quayside/contract/http/path'
import { users as endpoints } from '@quayside/contract/users/endpoints'
import { userPolicies } from '@quayside/contract/users/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Users } from './index.ts'

export function routes(http: Http, users: Users): void {
  serve(http, endpoints, userPolicies, {
    listUsers: async ({ actor }) => ({ data: await users.all(actor.realm) }),
    findUsers: ({ actor, query }) => users.find(actor.realm, query, pathOf(endpoints.findUsers)),
    getUser: ({ actor, params }) => users.get(actor.realm, params.id),
    userGroups: async ({ actor, params }) => ({ data: await users.groupsOf(actor.realm, params.id) }),
  })
}
