import type { Encryption } from '../storage/encryption.ts'
import type { RealmSettings } from './realm-settings.ts'

/** Mask that Keycloak shows in place of a password, and that leaves the password unchanged when it is sent back. */
const mask = '**********'

interface MailServer {
  password?: string
  [setting: string]: unknown
}

const withPassword = (settings: RealmSettings, change: (password: string) => string | undefined): RealmSettings => {
  const server = settings.smtpServer as MailServer | undefined
  if (!server?.password) return settings
  return { ...settings, smtpServer: { ...server, password: change(server.password) } }
}
const placeOf = (realmId: string) => `realm:${realmId}:smtp`

export const sealMailPassword = (encryption: Encryption, realmId: string, settings: RealmSettings): RealmSettings =>
  withPassword(settings, (password) => encryption.encrypt(placeOf(realmId), password))

export const openMailPassword = (encryption: Encryption, realmId: string, settings: RealmSettings): RealmSettings =>
  withPassword(settings, (password) =>
    password.startsWith('v1.') ? encryption.decrypt(placeOf(realmId), password) : password,
  )

export const hideMailPassword = (settings: RealmSettings): RealmSettings => withPassword(settings, () => mask)

/** A masked password that comes back is the one that is there. */
export const keepMailPassword = (sent: RealmSettings, known: RealmSettings): RealmSettings =>
  withPassword(sent, (password) =>
    password === mask ? (known.smtpServer as MailServer | undefined)?.password : password,
  )
