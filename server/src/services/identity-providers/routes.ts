import { identityProviders as endpoints } from '@quayside/contract/identity-providers/endpoints'
import { identityProviderPolicies } from '@quayside/contract/identity-providers/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { IdentityProviders } from './index.ts'
import type { Mappings } from './mappings.ts'

interface Parts {
  providers: IdentityProviders
  mappings: Mappings
}

export function routes(http: Http, { providers, mappings }: Parts): void {
  serve(http, endpoints, identityProviderPolicies, {
    listIdentityProviders: ({ actor }) => providers.list(actor),
    getIdentityProvider: ({ actor, params }) => providers.get(actor, params.id),
    discoverIdentityProvider: ({ actor, body }) => providers.discover(actor, body.address),
    createIdentityProvider: ({ actor, body }) => providers.create(actor, body),
    updateIdentityProvider: ({ actor, params, body }) => providers.update(actor, params.id, body),
    deleteIdentityProvider: ({ actor, params }) => providers.remove(actor, params.id),
    testIdentityProvider: ({ actor, params }) => providers.test(actor, params.id),
    listMappings: async ({ actor, params }) => ({ data: await mappings.list(actor, params.id) }),
    createMapping: ({ actor, params, body }) => mappings.create(actor, params.id, body),
    deleteMapping: ({ actor, params }) => mappings.remove(actor, params.id, params.mid),
  })
}
