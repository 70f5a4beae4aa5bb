import { iam as endpoints } from '@quayside/contract/iam'
import { iamPolicies } from '@quayside/contract/policies/iam'
import type { Http } from '../../kernel/http.ts'
import { serve } from '../../kernel/route.ts'
import type { Iam } from './index.ts'

export function routes(http: Http, { account, users, groups, roles, clients }: Iam): void {
  serve(http, endpoints, iamPolicies, {
    account: ({ actor }) => account.get(actor),
    accountSessions: async ({ actor }) => ({ data: await account.sessions(actor) }),
    logout: ({ actor }) => account.logout(actor),
    listUsers: async ({ actor }) => ({ data: await users.all(actor.realm) }),
    findUsers: ({ actor, query }) => users.find(actor.realm, query, '/iam/v3/users'),
    getUser: ({ actor, params }) => users.get(actor.realm, params.id),
    userGroups: async ({ actor, params }) => ({ data: await users.groupsOf(actor.realm, params.id) }),
    listGroups: async ({ actor }) => ({ data: await groups.tree(actor.realm) }),
    getGroup: ({ actor, params }) => groups.get(actor.realm, params.id),
    countMembers: async ({ actor, body }) => ({ people: await groups.people(actor.realm, body.ids) }),
    groupMembers: async ({ actor, params }) => ({ data: await groups.membersOf(actor.realm, params.id) }),
    listRoles: async ({ actor }) => ({ data: await roles.list(actor.realm) }),
    listClients: async ({ actor }) => ({ data: await clients.list(actor.realm) }),
    getClient: ({ actor, params }) => clients.get(actor.realm, params.id),
    createClient: ({ actor, body }) => clients.createForScript(actor, body),
    deleteClient: ({ actor, params }) => clients.removeForScript(actor, params.id),
  })
}
