import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { createRealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Permissions } from '../permissions/index.ts'
import { createRoleAdministration, type RoleAdministration } from './administration.ts'
import { type ClientRoles, createClientRoles } from './client-roles.ts'
import { createDefaultRoles, type DefaultRoles } from './default-roles.ts'
import { createRoles, type Roles } from './index.ts'
import { createPartReads } from './parts.ts'
import { routes } from './routes.ts'

interface Parts {
  keycloak: Keycloak
  permissions: Permissions
  roles: { roles: Roles; administration: RoleAdministration; defaults: DefaultRoles; ofClients: ClientRoles }
}

export const roles = {
  name: 'roles',
  create({ keycloak, permissions: { people } }) {
    const realmRoles = createRealmRoles(keycloak)
    return {
      roles: createRoles(keycloak, realmRoles),
      administration: createRoleAdministration(keycloak, realmRoles, people),
      defaults: createDefaultRoles(keycloak, createPartReads(keycloak, realmRoles), people),
      ofClients: createClientRoles(keycloak, createPartReads(keycloak, realmRoles), people),
    }
  },
  routes: (http, { roles }) => routes(http, roles),
} satisfies Manifest<Parts>
