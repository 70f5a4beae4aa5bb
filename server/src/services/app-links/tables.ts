import type { ColumnType, Generated, Selectable } from 'kysely'

export interface Tables {
  app_links: AppLinkTable
}

export interface AppLinkTable {
  id: string
  tenant_id: string
  name: string
  /** The name as it looks: two links of a tenant do not look alike. */
  name_key: string
  url: string
  description: string
  color: string | null
  tags: string[]
  created_at: Generated<Date>
  created_by: string
  updated_at: ColumnType<Date, never, Date>
  updated_by: string
}

export type AppLinkRow = Selectable<AppLinkTable>
