import type { PriceSheet } from '@quayside/contract/cost/prices'
import type { ColumnType, Generated } from 'kysely'

/** PostgreSQL hands a numeric out as text, to the last digit. */
type Numeric = ColumnType<string, number, number>

export interface Tables {
  price_sheets: {
    tenant_id: string
    cluster_id: string
    valid_from: Date
    currency: string
    core_hour: Numeric
    memory_gib_hour: Numeric
    storage: ColumnType<PriceSheet['storage'], string, string>
    load_balancer_hour: ColumnType<string | null, number | null, number | null>
    overhead_hour: ColumnType<string | null, number | null, number | null>
    created_at: Generated<Date>
    created_by: string
  }
  exchange_rates: {
    tenant_id: string
    source: 'hand' | 'file'
    currency: string
    per_euro: Numeric
    as_of: string
  }
  space_budgets: {
    tenant_id: string
    space_id: string
    amount: Numeric
    currency: string
    set_by: string
    set_at: Generated<Date>
  }
  /** When each cluster was seen last. */
  cost_clocks: { tenant_id: string; cluster_id: string; at: Date }
  /** Amounts times hours, such as core-hours, by the hour, or the part of one since its prices began. */
  cost_hours: {
    tenant_id: string
    cluster_id: string
    begun: Date
    space_id: string
    app_id: string
    resource: string
    storage_class: string
    amount: number
    requested: number
    used: number
  }
}
