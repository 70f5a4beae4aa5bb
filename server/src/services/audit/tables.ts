import type { Selectable } from 'kysely'

export interface Tables {
  audit_entry: AuditTable
}

interface AuditTable {
  /** Sortable by time. */
  id: string
  tenant_id: string
  at: Date
  user_id: string
  username: string
  client: string
  /** The personal token by which the call came; null: somebody was signed in, or a service account. */
  token_id: string | null
  token_name: string | null
  ip_address: string
  /** `DELETE /portal-api/v3/spaces/:id` */
  call: string
  about: Record<string, string>
  /** The HTTP status of the answer; null until there is one. */
  status: number | null
  code: string | null
  request_id: string
  /** Tells whether nothing is to be sent to a collector any more. */
  sent: boolean
}

export type AuditRow = Selectable<AuditTable>
