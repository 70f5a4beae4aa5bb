import type { Webhook, WebhookDelivery } from '@quayside/contract/webhooks/endpoints'
import type { Listed } from './store.ts'
import type { DeliveryRow } from './tables.ts'

/** A webhook as the contract promises it: never with its signing secret. */
export function toWebhook(row: Listed, url: string, names: ReadonlyMap<string, string>): Webhook {
  return {
    ...{ id: row.id, name: row.name, url, isSigned: row.secret !== null, events: row.events },
    spaces: row.space_ids?.map((id) => ({ id, name: names.get(id) ?? null })) ?? null,
    ...{ enabled: row.enabled, offReason: row.off_reason, waiting: row.waiting, dropped: row.dropped },
    lastAttempt: row.tried_at && { at: row.tried_at.toISOString(), isDelivered: row.last_worked === true },
    ...{ createdAt: row.created_at.toISOString(), createdBy: row.created_by },
  }
}

export function toDelivery(row: Omit<DeliveryRow, 'tenant_id' | 'made_at'>): WebhookDelivery {
  return {
    ...{ id: row.event_id, type: row.type, about: row.about, at: row.at.toISOString(), state: row.state },
    ...{
      attempts: row.attempts,
      nextAttemptAt: row.next_at?.toISOString() ?? null,
      status: row.status,
      says: row.says,
    },
  }
}
