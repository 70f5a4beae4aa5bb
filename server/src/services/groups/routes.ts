import { groups as endpoints } from '@quayside/contract/groups/endpoints'
import { groupPolicies } from '@quayside/contract/groups/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Groups } from './index.ts'

export function routes(http: Http, groups: Groups): void {
  serve(http, endpoints, groupPolicies, {
    listGroups: async ({ actor }) => ({ data: await groups.tree(actor.realm) }),
    getGroup: ({ actor, params }) => groups.get(actor.realm, params.id),
    countMembers: async ({ actor, body }) => ({ people: await groups.people(actor.realm, body.ids) }),
    groupMembers: async ({ actor, params }) => ({ data: await groups.membersOf(actor.realm, params.id) }),
  })
}
