import type { Generated } from 'kysely'

export interface Tables {
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
