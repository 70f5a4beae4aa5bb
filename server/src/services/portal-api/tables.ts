import type { Generated } from 'kysely'

export interface Tables {
  tenants: { id: string; identifier: string; realm: string; display_name: string; created_at: Generated<Date> }
  spaces: {
    id: string
    tenant_id: string
    name: string
    display_name: string
    description: string
    created_at: Generated<Date>
  }
  space_clusters: { tenant_id: string; space_id: string; cluster_id: string; position: number }
  apps: AppTable
  menu_groups: {
    id: string
    tenant_id: string
    person_id: string
    title: string
    created_at: Generated<Date>
  }
  menu_entries: MenuEntryTable
}

export interface MenuEntryTable {
  id: string
  tenant_id: string
  person_id: string
  group_id: string
  name: string
  icon: string
  link: string
  selected_entry_id: string | null
  type: string
  position: number
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
