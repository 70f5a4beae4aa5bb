import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Permissions } from '../permissions/index.ts'
import { createDiscovery } from './discovery.ts'
import { createIdentityProviders, type IdentityProviders } from './index.ts'
import { createMappings, type Mappings } from './mappings.ts'
import { routes } from './routes.ts'

interface Parts {
  keycloak: Keycloak
  config: Config
  permissions: Permissions
  'identity-providers': { providers: IdentityProviders; mappings: Mappings }
}

export const identityProviders = {
  name: 'identity-providers',
  create: ({ keycloak, config, permissions: { people } }) => ({
    providers: createIdentityProviders(keycloak, createDiscovery(keycloak, config), people, config.keycloak.publicUrl),
    mappings: createMappings(keycloak, people),
  }),
  routes: (http, parts) => routes(http, parts['identity-providers']),
} satisfies Manifest<Parts>
