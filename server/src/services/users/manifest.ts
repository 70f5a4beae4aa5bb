import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { Manifest } from '../../platform/capability.ts'
import { createUsers, type Users } from './index.ts'
import { routes } from './routes.ts'

interface Parts {
  keycloak: Keycloak
  users: Users
}

export const users = {
  name: 'users',
  create: ({ keycloak }) => createUsers(keycloak),
  routes: (http, { users }) => routes(http, users),
} satisfies Manifest<Parts>
