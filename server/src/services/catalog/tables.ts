import type { Generated, JSONColumnType, Selectable } from 'kysely'
import type { ChartYaml } from './intake/chart-yaml.ts'
import type { Metadata } from './intake/metadata.ts'
import type { SourceTables } from './sources/tables.ts'

export interface Tables extends SourceTables {
  catalog_packages: {
    tenant_id: string
    digest: string
    bytes: Buffer
    size_bytes: number
    created_at: Generated<Date>
  }
  catalog_items: ItemTable
  catalog_versions: VersionTable
}

export interface ItemTable {
  id: string
  tenant_id: string
  name: string
  type: Metadata['type']
  app_kind: string
  app_type: Metadata['appType']
  category: string
  tags: string[]
  keywords: string[]
  icon_uri: string | null
  icon_embedded: string | null
  color: string
  manufacturer_id: string
  manufacturer_name: string
  display_name: string
  description: string
  short_description: string
  featured: boolean
  visible: Generated<boolean>
  enabled: Generated<boolean>
  latest_version: string
  latest_version_id: string
  version_count: number
  /** The source whose versions are added to it; null for one that was uploaded. */
  source_id: string | null
  /** When a source brought its newest version, after others were there already. */
  new_version_at: Date | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
}

interface VersionTable {
  id: string
  tenant_id: string
  item_id: string
  version: string
  digest: string
  size_bytes: number
  app_version: string | null
  kube_version: string | null
  deprecated: boolean
  icon_uri: string | null
  icon_embedded: string | null
  /** When the icon was last looked for at its address. */
  icon_tried_at: Generated<Date | null>
  metadata: JSONColumnType<Metadata>
  chart: JSONColumnType<ChartYaml>
  readme: string
  values_yaml: string
  values_schema: string | null
  /** The account that has uploaded it, by its name then and its id; null for versions from before it was kept. */
  published_by: string | null
  published_by_id: string | null
  /** The source that brought it; null for one that was uploaded, and when that source is gone. */
  source_id: string | null
  /** Id of the source that brought it, also when that is gone; null for one that was uploaded. */
  brought_by: string | null
  created_at: Generated<Date>
}

interface FromSource {
  source_name: string | null
}

export type ItemRow = Selectable<ItemTable> & FromSource
export type VersionRow = Selectable<VersionTable> & FromSource
