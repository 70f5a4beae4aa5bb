import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { createMails } from '../../adapters/keycloak/mail.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { createRealms, type Realms } from './index.ts'
import { routes } from './routes.ts'

interface Parts {
  keycloak: Keycloak
  log: Logger
  realms: Realms
}

export const realms = {
  name: 'realms',
  create: ({ keycloak, log }) => createRealms(keycloak, createMails(keycloak), log),
  routes: (http, { realms }) => routes(http, realms),
} satisfies Manifest<Parts>
