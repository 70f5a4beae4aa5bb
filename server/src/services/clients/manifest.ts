import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { createRealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Exclusive } from '../../platform/db/exclusive.ts'
import type { Permissions } from '../permissions/index.ts'
import { type ClientAdministration, createClientAdministration } from './administration.ts'
import { type Clients, createClients } from './index.ts'
import { routes } from './routes.ts'

interface Parts {
  keycloak: Keycloak
  config: Config
  exclusive: Exclusive
  permissions: Permissions
  clients: { clients: Clients; administration: ClientAdministration }
}

export const clients = {
  name: 'clients',
  create: ({ keycloak, config, exclusive, permissions }) => ({
    clients: createClients(keycloak, createRealmRoles(keycloak), config.keycloak.publicUrl, {
      exclusive,
      grantorNow: permissions.grantorNow,
      people: permissions.people,
    }),
    administration: createClientAdministration(keycloak, permissions.people),
  }),
  routes: (http, { clients }) => routes(http, clients),
} satisfies Manifest<Parts>
