import type { RealmSettings } from '../directory/realm-settings.ts'
import { badRequest } from '../http/problem.ts'

/** SMTP server of a realm, read from Keycloak's `smtpServer`, whose values are texts. */
export interface MailServer {
  host: string
  port: number
  from: { name: string; address: string }
  replyTo: { name: string; address: string } | undefined
  envelopeFrom: string | undefined
  /** TLS from the first byte. */
  ssl: boolean
  /** TLS before anything else is said; without it TLS is used where the server offers it. */
  starttls: boolean
  auth: { user: string; password: string } | undefined
}

const LIMIT = 255
/**
 * One address alone: what would make a mail program read two of it, or a name before it, is no part of one. Nor are
 * control characters and marks that nobody sees.
 */
const ADDRESS = /^[^\s\p{Cc}\p{Cf}\p{Cs}@<>"(),:;[\]\\]{1,64}@[^\s\p{Cc}\p{Cf}\p{Cs}@<>"(),:;[\]\\]{1,190}$/u

export const isAddress = (text: string): boolean => ADDRESS.test(text)

type Sent = Record<string, unknown>

function text(sent: Sent, key: string): string {
  const value = sent[key] ?? ''
  if (typeof value !== 'string' || value.length > LIMIT || /\p{Cc}/u.test(value))
    throw badRequest(`smtpServer.${key} must be a text of at most ${LIMIT} characters on one line`)
  return value.trim()
}

function address(sent: Sent, key: string): string {
  const value = text(sent, key)
  if (value !== '' && !isAddress(value)) throw badRequest(`smtpServer.${key} is no e-mail address`)
  return value
}

function flag(sent: Sent, key: string): boolean {
  const value = sent[key] ?? ''
  if (!['', 'true', 'false', true, false].includes(value as string | boolean))
    throw badRequest(`smtpServer.${key} must be true or false`)
  return String(value) === 'true'
}

function portOf(sent: Sent, ssl: boolean): number {
  const value = String(sent.port ?? '').trim()
  if (value === '') return ssl ? 465 : 25
  if (!/^\d{1,5}$/.test(value) || Number(value) < 1 || Number(value) > 65_535)
    throw badRequest('smtpServer.port must be a whole number from 1 to 65535')
  return Number(value)
}

/** Reads what a realm has, or is sent; undefined for none. A value that cannot be obeyed is refused by its name. */
export function readMailServer(value: unknown): MailServer | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'object' || Array.isArray(value)) throw badRequest('smtpServer must be an object')
  const sent = value as Sent
  const host = text(sent, 'host')
  if (host === '') return undefined
  if (!/^[A-Za-z0-9]([A-Za-z0-9.:-]*[A-Za-z0-9])?\.?$/.test(host))
    throw badRequest('smtpServer.host must be the name or the address of a host')
  const from = address(sent, 'from')
  if (from === '') throw badRequest('smtpServer.from is missing: it is the address that mails come from')
  if (!['', 'basic'].includes(text(sent, 'authType')))
    throw badRequest('smtpServer.authType must be basic: this identity server signs in with a password')
  const [replyTo, ssl, starttls] = [address(sent, 'replyTo'), flag(sent, 'ssl'), flag(sent, 'starttls')]
  if (ssl && starttls) throw badRequest('smtpServer.starttls must be false where ssl is true')
  const user = text(sent, 'user')
  const withAuth = flag(sent, 'auth')
  if (withAuth && user === '') throw badRequest('smtpServer.user is missing')
  const password = sent.password ?? ''
  if (typeof password !== 'string' || password.length > 1000)
    throw badRequest('smtpServer.password must be a text of at most 1000 characters')
  return {
    ...{ host, port: portOf(sent, ssl), ssl, starttls },
    from: { name: text(sent, 'fromDisplayName'), address: from },
    replyTo: replyTo === '' ? undefined : { name: text(sent, 'replyToDisplayName'), address: replyTo },
    envelopeFrom: address(sent, 'envelopeFrom') || undefined,
    auth: withAuth ? { user, password } : undefined,
  }
}

export const mailServerOf = (settings: Pick<RealmSettings, 'smtpServer'>): MailServer | undefined =>
  readMailServer(settings.smtpServer)
