import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { createRealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import type { Manifest } from '../../platform/capability.ts'
import { createRoles, type Roles } from './index.ts'
import { routes } from './routes.ts'

interface Parts {
  keycloak: Keycloak
  roles: Roles
}

export const roles = {
  name: 'roles',
  create: ({ keycloak }) => createRoles(createRealmRoles(keycloak)),
  routes: (http, { roles }) => routes(http, roles),
} satisfies Manifest<Parts>
