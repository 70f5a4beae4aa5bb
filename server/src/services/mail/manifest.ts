import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { createMails } from '../../adapters/keycloak/mail.ts'
import type { Manifest } from '../../platform/capability.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Permissions } from '../permissions/index.ts'
import { createOutbox, type Outbox } from './index.ts'
import { routes } from './routes.ts'
import { createMailSettings, type MailSettingsService } from './settings.ts'

interface Parts {
  keycloak: Keycloak
  log: Logger
  permissions: Permissions
  mail: { settings: MailSettingsService; outbox: Outbox }
}

export const mail = {
  name: 'mail',
  create({ keycloak, log, permissions: { people } }) {
    const mails = createMails(keycloak)
    return {
      settings: createMailSettings(keycloak, mails, people, log),
      outbox: createOutbox(keycloak, mails, people),
    }
  },
  routes: (http, { mail }) => routes(http, mail),
} satisfies Manifest<Parts>
