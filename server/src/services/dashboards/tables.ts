import type { ConfigurationInput, WidgetRegistration } from '@quayside/contract/dashboards/library'
import type { DashboardScope, PanelKind } from '@quayside/contract/dashboards/rules'
import type { DashboardSpec, Plugin } from '@quayside/contract/dashboards/spec'
import type { ColumnType, Generated, Selectable } from 'kysely'

type Json<T> = ColumnType<T, string, string>

export interface Tables {
  dashboards: DashboardTable
  dashboard_permissions: PermissionTable
  dashboard_stars: { tenant_id: string; dashboard_id: string; person_id: string }
  /** A person's own choice of Home; without a dashboard it is the page of the portal. */
  dashboard_homes: { tenant_id: string; person_id: string; dashboard_id: string | null }
  dashboard_widgets: WidgetTable
  dashboard_configurations: ConfigurationTable
}

interface DashboardTable {
  id: string
  tenant_id: string
  display_name: string
  description: string
  tags: string[]
  spec: Json<DashboardSpec>
  panels: number
  space_ids: string[]
  widget_ids: string[]
  owner_id: string
  owner: string
  revision: Generated<number>
  created_at: Generated<Date>
  updated_at: ColumnType<Date, undefined, Date>
  updated_by: string
  deleted_at: ColumnType<Date | null, undefined, Date | null>
  /** When it got the tag by which it is somebody's Home; null without one. */
  home_since: ColumnType<Date | null, Date | null, Date | null>
}

interface PermissionTable {
  id: string
  tenant_id: string
  dashboard_id: string
  principal_type: 'user' | 'group' | 'role' | 'everyone'
  principal_id: string
  scopes: DashboardScope[]
  granted_by: string
  granted_at: Generated<Date>
}
export type PermissionRow = Selectable<PermissionTable>

interface WidgetTable {
  id: string
  tenant_id: string
  source: 'tenant' | 'package'
  name: string
  version: string
  kind: PanelKind
  title: string
  description: string
  category: string
  settings_schema: Json<WidgetRegistration['settingsSchema']>
  bindings: Json<Record<string, string>>
  defaults: Json<Plugin>
  created_at: Generated<Date>
  created_by: string
}
export type WidgetRow = Selectable<WidgetTable>

interface ConfigurationTable {
  id: string
  tenant_id: string
  name: string
  kind: ConfigurationInput['kind']
  value: Json<ConfigurationInput['value']>
  space_id: string | null
  revision: Generated<number>
  updated_at: ColumnType<Date, undefined, Date>
  updated_by: string
}
export type ConfigurationRow = Selectable<ConfigurationTable>

/** A dashboard with what the caller may do with it. */
export type SeenDashboard = Omit<Selectable<DashboardTable>, 'spec' | 'home_since'> & {
  mine: DashboardScope[]
  starred: boolean
}
