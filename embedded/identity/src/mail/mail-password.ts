import type { RealmSettings } from '../directory/realm-settings.ts'
import { badRequest } from '../http/problem.ts'
import type { Encryption } from '../storage/encryption.ts'

/** Mask that Keycloak shows in place of a password, and that leaves the password unchanged when it is sent back. */
const mask = '**********'

interface StoredServer {
  password?: string
  [setting: string]: unknown
}

const withPassword = (settings: RealmSettings, change: (password: string) => string | undefined): RealmSettings => {
  const server: StoredServer = settings.smtpServer ?? {}
  if (!server.password) return settings
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

/** Settings that decide who gets to see the password, and whether on the way. */
const sentTo = ['host', 'port', 'user', 'auth', 'ssl', 'starttls'] as const

/**
 * A masked password that comes back is the one that is there; with another server, or less protection on the way to it,
 * it has to be sent anew: who may change the settings must not get the password sent to a server of their own.
 */
export function keepMailPassword<T extends { smtpServer?: unknown }>(sent: T, known: { smtpServer?: unknown }): T {
  const server = sent.smtpServer as StoredServer | undefined
  if (server?.password !== mask) return sent
  const before = known.smtpServer as StoredServer | undefined
  if (sentTo.some((key) => String(server[key] ?? '') !== String(before?.[key] ?? '')))
    throw badRequest('smtpServer.password has to be sent again, because where it goes has changed')
  return { ...sent, smtpServer: { ...server, password: before?.password } }
}
