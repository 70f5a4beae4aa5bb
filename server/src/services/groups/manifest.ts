import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { Manifest } from '../../platform/capability.ts'
import { createGroups, type Groups } from './index.ts'
import { routes } from './routes.ts'

interface Parts {
  keycloak: Keycloak
  groups: Groups
}

export const groups = {
  name: 'groups',
  create: ({ keycloak }) => createGroups(keycloak),
  routes: (http, { groups }) => routes(http, groups),
} satisfies Manifest<Parts>
