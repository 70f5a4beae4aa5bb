import type { Webhook, WebhookDelivery } from '@quayside/contract/webhooks/endpoints'
import { type WebhookEvent, webhookEvents } from '@quayside/contract/webhooks/rules'

export const eventWords: Readonly<Record<WebhookEvent, string>> = {
  'action-failed': 'Actions that failed',
  'action-finished': 'Deployments that finished',
  'app-health': 'Apps that become unhealthy or recover',
}

export const eventsIn = (events: readonly WebhookEvent[]) =>
  webhookEvents.flatMap((event) => (events.includes(event) ? [eventWords[event]] : [])).join('; ')

export const signingWords = {
  generate: 'Generate a new secret',
  typed: 'Enter a secret',
  keep: 'Keep the current secret',
  none: 'Not signed',
} as const
export type Signing = keyof typeof signingWords

export const deliveryWords: Readonly<Record<WebhookDelivery['state'], { state: string; label: string }>> = {
  waiting: { state: 'pending', label: 'Waiting' },
  delivered: { state: 'finished', label: 'Delivered' },
  failed: { state: 'failed', label: 'Not delivered' },
  dropped: { state: 'still', label: 'Dropped' },
}

const typeWords: Readonly<Record<string, string>> = {
  'quayside.action.failed': 'An action failed',
  'quayside.action.finished': 'A deployment finished',
  'quayside.app.unhealthy': 'An app became unhealthy',
  'quayside.app.healthy': 'An app is healthy again',
  'quayside.webhook.test': 'A test',
}
export const typeWord = (type: string) => typeWords[type] ?? type

/** A state of a webhook as a badge shows it. */
export function stateOf({ enabled, offReason, lastAttempt }: Webhook): { state: string; label: string } {
  if (!enabled)
    return offReason === null ? { state: 'still', label: 'Off' } : { state: 'failed', label: 'Switched off' }
  if (lastAttempt === null) return { state: 'still', label: 'Nothing sent yet' }
  return lastAttempt.isDelivered
    ? { state: 'healthy', label: 'Working' }
    : { state: 'warning', label: 'Deliveries failing' }
}

/** Notes about a webhook, each a sentence. */
export function notesOf({ offReason, waiting, dropped }: Webhook): string[] {
  return [
    ...(offReason === null ? [] : [offReason]),
    ...(waiting === 0 ? [] : [waiting === 1 ? '1 delivery waiting.' : `${waiting} deliveries waiting.`]),
    ...(dropped === 0
      ? []
      : [`${dropped} ${dropped === 1 ? 'delivery was' : 'deliveries were'} dropped because too many were waiting.`]),
  ]
}

export const spaceWords = ({ spaces }: Webhook) =>
  spaces === null ? 'All spaces' : spaces.map(({ name }) => name ?? 'a space that is not shown').join(', ')

/** The host alone: the rest of an address can hold a credential. */
export const hostOf = ({ url }: Webhook) => new URL(url).host
