import type { Generated } from 'kysely'
import type { AppTable } from '../apps/tables.ts'

export interface SpaceTable {
  id: string
  tenant_id: string
  name: string
  display_name: string
  description: string
  created_at: Generated<Date>
}

export interface Tables {
  spaces: SpaceTable
  space_clusters: { tenant_id: string; space_id: string; cluster_id: string; position: number }
  apps: AppTable
}
