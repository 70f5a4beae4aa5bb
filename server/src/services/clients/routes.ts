import { clientAdministration } from '@quayside/contract/clients/administration'
import { clients as endpoints } from '@quayside/contract/clients/endpoints'
import { clientAdministrationPolicies, clientPolicies } from '@quayside/contract/clients/policies'
import { pathOf } from '@quayside/contract/http/path'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { ClientAdministration } from './administration.ts'
import type { Clients } from './index.ts'

interface Parts {
  clients: Clients
  administration: ClientAdministration
}

export function routes(http: Http, { clients, administration }: Parts): void {
  serve(http, endpoints, clientPolicies, {
    listClients: async ({ actor }) => ({ data: await clients.list(actor.realm) }),
    getClient: ({ actor, params }) => clients.get(actor.realm, params.id),
    createClient: ({ actor, body }) => clients.createForScript(actor, body),
    deleteClient: ({ actor, params }) => clients.removeForScript(actor, params.id),
  })
  const { findClients, findClientSessions } = clientAdministration
  serve(http, clientAdministration, clientAdministrationPolicies, {
    findClients: ({ actor, query }) => administration.search(actor.realm, query, pathOf(findClients)),
    getClientDetail: ({ actor, params }) => administration.detail(actor.realm, params.id),
    createApplication: ({ actor, body }) => administration.create(actor, body),
    updateClient: ({ actor, params, body }) => administration.update(actor, params.id, body),
    deleteApplication: ({ actor, params }) => administration.remove(actor, params.id),
    renewSecret: ({ actor, params }) => administration.renewSecret(actor, params.id),
    findClientSessions: ({ actor, params, query }) =>
      administration.sessions(actor.realm, params.id, query, pathOf(findClientSessions, params)),
  })
}
