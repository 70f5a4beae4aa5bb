import { RequestFailed } from '../../adapters/outgoing/outgoing.ts'
import type { Poster } from '../../adapters/outgoing/post.ts'
import type { Encryption } from '../../platform/encryption/encryption.ts'
import type { Attempt } from './outcome.ts'
import { headersOf } from './sign.ts'
import type { WebhookRow } from './tables.ts'

const attemptMs = 10_000
const shownText = 200

export const placeOf = (id: string, what: 'address' | 'secret') => `webhook.${id}.${what}`

/** Address and signing secret: encrypted where they are kept, and in the open only while something is sent. */
export function createWebhookSecrets(encryption: Encryption) {
  return {
    encrypt: (tenantId: string, id: string, what: 'address' | 'secret', text: string) =>
      encryption.encrypt(tenantId, placeOf(id, what), text),
    address: ({ tenant_id, id, address }: Pick<WebhookRow, 'tenant_id' | 'id' | 'address'>) =>
      encryption.decrypt(tenant_id, placeOf(id, 'address'), address),
    secret: ({ tenant_id, id, secret }: Pick<WebhookRow, 'tenant_id' | 'id' | 'secret'>) =>
      secret === null ? undefined : encryption.decrypt(tenant_id, placeOf(id, 'secret'), secret),
  }
}
export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>

/** Makes one attempt. Whatever the receiver does is an answer; it throws only when the portal is ending. */
export function createSender(poster: Pick<Poster, 'post'>, secrets: WebhookSecrets) {
  return async (webhook: WebhookRow, message: { id: string; body: string }, signal: AbortSignal): Promise<Attempt> => {
    const url = new URL(secrets.address(webhook))
    const { body } = message
    const timestamp = Math.floor(Date.now() / 1000)
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      ...headersOf({ ...message, timestamp }, secrets.secret(webhook)),
    }
    try {
      const { status, text } = await poster.post(url, { headers, body, timeoutMs: attemptMs, signal })
      return { isDelivered: status >= 200 && status < 300, status, ...sentencesOf(url.host, status, text) }
    } catch (error) {
      if (error instanceof RequestFailed)
        return { isDelivered: false, status: null, says: error.message, brief: error.message }
      throw error
    }
  }
}
export type Sender = ReturnType<typeof createSender>

function sentencesOf(host: string, status: number, text: string): Pick<Attempt, 'says' | 'brief'> {
  const brief = sentenceOf(host, status)
  const shown = status >= 400 ? quoted(text) : ''
  return { brief, says: shown === '' ? brief : `${brief.slice(0, -1)}: “${shown}”` }
}

function sentenceOf(host: string, status: number): string {
  if (status >= 200 && status < 300) return `${host} took it (status ${status}).`
  if (status >= 300 && status < 400)
    return `${host} sends on to another address (status ${status}). Give the webhook that address.`
  return `${host} answers with status ${status}.`
}

/** A text of a stranger on one line, and not at any length. */
function quoted(text: string): string {
  const clean = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return clean.length > shownText ? `${clean.slice(0, shownText)}…` : clean
}
