import { clients as endpoints } from '@quayside/contract/clients/endpoints'
import { clientPolicies } from '@quayside/contract/clients/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Clients } from './index.ts'

export function routes(http: Http, clients: Clients): void {
  serve(http, endpoints, clientPolicies, {
    listClients: async ({ actor }) => ({ data: await clients.list(actor.realm) }),
    getClient: ({ actor, params }) => clients.get(actor.realm, params.id),
    createClient: ({ actor, body }) => clients.createForScript(actor, body),
    deleteClient: ({ actor, params }) => clients.removeForScript(actor, params.id),
  })
}
