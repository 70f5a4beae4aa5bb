import { defaultGroups as defaultEndpoints, groups as endpoints } from '@quayside/contract/groups/endpoints'
import { defaultGroupPolicies, groupPolicies } from '@quayside/contract/groups/policies'
import { pathOf } from '@quayside/contract/http/path'
import type { Http } from '../../platform/http/http.ts'
import { mustBeOwnRealm } from '../../platform/http/realm-of.ts'
import { serve } from '../../platform/http/route.ts'
import type { DefaultGroups, GroupAdministration } from './administration.ts'
import type { Groups } from './index.ts'

interface Parts {
  groups: Groups
  administration: GroupAdministration
  defaults: DefaultGroups
}

export function routes(http: Http, { groups, administration, defaults }: Parts): void {
  serve(http, endpoints, groupPolicies, {
    listGroups: async ({ actor }) => ({ data: await groups.tree(actor.realm) }),
    getGroup: ({ actor, params }) => administration.detail(actor, params.id),
    createGroup: ({ actor, body }) => administration.create(actor, body),
    createSubGroup: ({ actor, params, body }) => administration.createBelow(actor, params.id, body),
    updateGroup: ({ actor, params, body }) => administration.update(actor, params.id, body),
    deleteGroup: ({ actor, params }) => administration.remove(actor, params.id),
    moveGroup: ({ actor, params }) => administration.move(actor, params.childId, params.id),
    moveGroupToTop: ({ actor, params }) => administration.move(actor, params.id, undefined),
    countMembers: async ({ actor, body }) => ({ people: await groups.people(actor.realm, body.ids) }),
    groupMembers: async ({ actor, params }) => ({ data: await groups.membersOf(actor.realm, params.id) }),
    findMembers: ({ actor, params, query }) =>
      groups.findMembers(actor.realm, params.id, query, pathOf(endpoints.findMembers, params)),
  })
  serve(http, defaultEndpoints, defaultGroupPolicies, {
    async listDefaultGroups({ actor, params }) {
      mustBeOwnRealm(actor, params.realm)
      return { data: await defaults.list(actor) }
    },
    addDefaultGroup({ actor, params }) {
      mustBeOwnRealm(actor, params.realm)
      return defaults.add(actor, params.gid)
    },
    removeDefaultGroup({ actor, params }) {
      mustBeOwnRealm(actor, params.realm)
      return defaults.remove(actor, params.gid)
    },
  })
}
