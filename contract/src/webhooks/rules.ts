/** Kinds of events that a webhook can be told of: each is one choice of whoever sets it up. */
export const webhookEvents = ['action-failed', 'action-finished', 'app-health'] as const
export type WebhookEvent = (typeof webhookEvents)[number]

/** How a delivery stands: `dropped` was never sent, because too much waited or the webhook was switched off. */
export const deliveryStates = ['waiting', 'delivered', 'failed', 'dropped'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const webhookLimits = {
  /** Webhooks of one tenant. */
  webhooks: 20,
  url: 1000,
  spaces: 50,
  secret: 200,
  /** Deliveries of one webhook that wait; the oldest are dropped. */
  waiting: 1000,
  /** The newest deliveries that are shown. */
  shown: 50,
  keptDays: 7,
  /** Events in a row, each given up after its last attempt, after which a webhook is switched off. */
  failures: 10,
} as const

/** Fault of the address of a webhook, as the end of a sentence about it; undefined for a good one. */
export function webhookUrlProblem(typed: string): string | undefined {
  const text = typed.trim()
  if (text.length > webhookLimits.url) return `may have at most ${webhookLimits.url} characters`
  if (/[\s\p{Cc}\p{Cf}]/u.test(text) || !URL.canParse(text)) return urlExample
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) return urlExample
  if (url.username !== '' || url.password !== '') return 'must not have a user name or a password'
  if (text.includes('#')) return 'must not have a #'
  return undefined
}

const urlExample = 'must be complete, as in https://hooks.example.org/portal'

const secretPattern = /^whsec_(?=[A-Za-z0-9+/]+={0,2}$)(?:.{4})+$/

/** Fault of a signing secret that somebody types, as the end of a sentence about it; undefined for a good one. */
export function webhookSecretProblem(text: string): string | undefined {
  const problem = 'must be whsec_ followed by 24 to 64 bytes in base64'
  // Longer text is refused unread: nobody waits for an expression that goes over a megabyte.
  if (text.length > webhookLimits.secret || !secretPattern.test(text)) return problem
  const encoded = text.slice('whsec_'.length)
  const padding = encoded.length - encoded.replaceAll('=', '').length
  const bytes = (encoded.length / 4) * 3 - padding
  return bytes >= 24 && bytes <= 64 ? undefined : problem
}
