import type { ColumnType, Generated } from 'kysely'
import type { AppTable } from '../apps/tables.ts'

export interface SpaceTable {
  id: string
  tenant_id: string
  name: string
  display_name: string
  description: string
  created_at: Generated<Date>
}

interface FreezeTable {
  space_id: string
  tenant_id: string
  reason: string
  until: Date | null
  /** People who are let through, as ids with names. */
  exempt: ColumnType<{ id: string; name: string }[], string>
  begun_by: string
  begun_at: Generated<Date>
}

export interface Tables {
  spaces: SpaceTable
  space_clusters: { tenant_id: string; space_id: string; cluster_id: string; position: number }
  space_freeze: FreezeTable
  apps: AppTable
}
