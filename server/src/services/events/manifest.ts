import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { createEvents, type Events } from './index.ts'
import { routes } from './routes.ts'

interface Parts {
  keycloak: Keycloak
  log: Logger
  events: Events
}

export const events = {
  name: 'events',
  create: ({ keycloak, log }) => createEvents(keycloak, log),
  routes: (http, { events }) => routes(http, events),
} satisfies Manifest<Parts>
