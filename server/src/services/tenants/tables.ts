import type { Generated } from 'kysely'

export interface Tables {
  tenants: { id: string; identifier: string; realm: string; display_name: string; created_at: Generated<Date> }
}
