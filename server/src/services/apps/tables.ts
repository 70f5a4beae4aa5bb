import type { Generated } from 'kysely'
import type { SpaceTable } from '../spaces/tables.ts'

export interface Tables {
  apps: AppTable
  spaces: SpaceTable
}

export interface AppTable {
  id: string
  tenant_id: string
  space_id: string
  cluster_id: string
  name: string
  display_name: string
  description: string
  short_description: string
  color: string
  icon_uri: string | null
  icon_embedded: string | null
  tags: string[]
  resource_roles: string[]
  item_type: string
  app_type: string
  catalog_item_id: string
  catalog_item_name: string
  catalog_version_id: string
  version: string
  release_name: string | null
  namespace: string
  revision: number | null
  state: string
  state_message: string | null
  created_at: Generated<Date>
  created_by: string
  updated_at: Generated<Date>
}
