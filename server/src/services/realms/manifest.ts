import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { createMails } from '../../adapters/keycloak/mail.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Permissions } from '../permissions/index.ts'
import { createRealms, type Realms } from './index.ts'
import { routes } from './routes.ts'

interface Parts {
  keycloak: Keycloak
  log: Logger
  permissions: Permissions
  realms: Realms
}

export const realms = {
  name: 'realms',
  create: ({ keycloak, log, permissions: { people } }) => createRealms(keycloak, createMails(keycloak), people, log),
  routes: (http, { realms }) => routes(http, realms),
} satisfies Manifest<Parts>
