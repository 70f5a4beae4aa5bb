import { createHmac } from 'node:crypto'

interface Message {
  id: string
  /** Seconds since 1970, of the attempt. */
  timestamp: number
  body: string
}

/** Headers of a message by the Standard Webhooks specification; without a secret it is not signed. */
export function headersOf({ id, timestamp, body }: Message, secret: string | undefined): Record<string, string> {
  const named = { 'webhook-id': id, 'webhook-timestamp': String(timestamp) }
  if (secret === undefined) return named
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...named, 'webhook-signature': `v1,${signature}` }
}
