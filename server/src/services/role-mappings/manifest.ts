import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { createRealmRoles } from '../../adapters/keycloak/realm-roles.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Directory } from '../directory/index.ts'
import type { Permissions } from '../permissions/index.ts'
import { createRoleMappings, type RoleMappings } from './index.ts'
import { routes } from './routes.ts'

interface Parts {
  keycloak: Keycloak
  directory: Directory
  permissions: Permissions
  'role-mappings': RoleMappings
}

export const roleMappings = {
  name: 'role-mappings',
  create: ({ keycloak, directory, permissions }) =>
    createRoleMappings(keycloak, createRealmRoles(keycloak), directory.roleWays, permissions.people),
  routes: (http, parts) => routes(http, parts['role-mappings']),
} satisfies Manifest<Parts>
