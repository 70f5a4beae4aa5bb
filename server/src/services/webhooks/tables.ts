import type { DeliveryState, WebhookEvent } from '@quayside/contract/webhooks/rules'
import type { Generated, Selectable } from 'kysely'

export interface Tables {
  webhook: WebhookTable
  webhook_delivery: DeliveryTable
}

interface WebhookTable {
  id: string
  tenant_id: string
  name: string
  /** The address, encrypted: it can hold a credential of the receiver. */
  address: string
  /** The signing secret, encrypted; null: it is not signed. */
  secret: string | null
  events: WebhookEvent[]
  /** Null: all spaces. */
  space_ids: string[] | null
  enabled: boolean
  off_reason: string | null
  /** Until when events were last looked for. */
  collected_at: Date
  /** Nothing that happened before is sent: when it was added, or last switched on. */
  since: Date
  /** Deliveries that were given up, since the last one that arrived. */
  given_up: Generated<number>
  /** Deliveries that were dropped because too many waited. */
  dropped: Generated<number>
  tried_at: Date | null
  /** How the last attempt went. */
  last_worked: boolean | null
  /** A mark of who sends to it now, and until when nobody else does. */
  lease: string | null
  lease_until: Date | null
  created_at: Generated<Date>
  created_by: string
}

interface DeliveryTable {
  tenant_id: string
  webhook_id: string
  event_id: string
  /** The space that it tells of; null: none, or it is a test. */
  space_id: string | null
  type: string
  about: string
  at: Date
  /** The body as it is sent, the same each time; empty when it will not be sent any more. */
  body: string
  state: DeliveryState
  attempts: Generated<number>
  next_at: Date | null
  status: number | null
  says: Generated<string>
  made_at: Generated<Date>
}

export type WebhookRow = Selectable<WebhookTable>
export type DeliveryRow = Selectable<DeliveryTable>
