import type { CatalogItem, CatalogVersion, CatalogVersionDetail } from '@quayside/contract/catalog/endpoints'
import type { ItemRow, VersionRow } from './tables.ts'

/** Rows as the contract promises them: every field is named here, none is passed on unasked. */
export function toItem(row: ItemRow, deployed: ReadonlyMap<string, number>): CatalogItem {
  return { ...toItemAlone(row), deployedCount: deployed.get(row.id) ?? 0 }
}

export function toItemAlone(row: ItemRow): Omit<CatalogItem, 'deployedCount'> {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    appKind: row.app_kind,
    appType: row.app_type,
    category: row.category,
    tags: row.tags,
    iconUri: row.icon_uri,
    iconEmbedded: row.icon_embedded,
    color: row.color,
    manufacturer: { id: row.manufacturer_id, name: row.manufacturer_name },
    displayName: row.display_name,
    description: row.description,
    shortDescription: row.short_description,
    featured: row.featured,
    visible: row.visible,
    enabled: row.enabled,
    latestVersion: row.latest_version,
    latestVersionId: row.latest_version_id,
    versionCount: row.version_count,
    source: row.source_id === null ? null : { id: row.source_id, name: row.source_name ?? '' },
    newVersionAt: isRecent(row.new_version_at) ? row.new_version_at.toISOString() : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** How long a version that a source brought counts as new. */
const newForMs = 14 * 24 * 3600_000

const isRecent = (at: Date | null): at is Date => at !== null && at.getTime() > Date.now() - newForMs

/** A version without its long texts. */
export type VersionHead = Omit<
  VersionRow,
  'readme' | 'values_yaml' | 'values_schema' | 'icon_tried_at' | 'published_by' | 'published_by_id' | 'brought_by'
>

export function toVersion(row: VersionHead): CatalogVersion {
  return {
    id: row.id,
    catalogItemId: row.item_id,
    version: row.version,
    appVersion: row.app_version,
    color: row.metadata.color,
    displayName: row.metadata.displayName,
    description: row.metadata.description,
    shortDescription: row.metadata.shortDescription,
    iconEmbedded: row.icon_embedded,
    iconUri: row.icon_uri,
    resourceRoles: row.metadata.resourceRoles,
    kubeVersion: row.kube_version,
    deprecated: row.deprecated,
    sizeBytes: row.size_bytes,
    digest: row.digest,
    sourceName: row.source_name,
    createdAt: row.created_at.toISOString(),
  }
}

export function toDetail(row: VersionRow): CatalogVersionDetail {
  const { chart } = row
  return {
    ...toVersion(row),
    readme: row.readme,
    valuesYaml: row.values_yaml,
    valuesSchema: schemaOf(row),
    dependencies: chart.dependencies.map(({ name, version }) => ({ name: name ?? '', version: version ?? '' })),
    keywords: chart.keywords,
    home: webAddress(chart.home),
    sources: chart.sources.map(webAddress).filter((address) => address !== null),
    maintainers: chart.maintainers.map(({ name, url }) => ({ name: name ?? '', url: webAddress(url) })),
  }
}

export function schemaOf(row: Pick<VersionRow, 'values_schema'>): unknown {
  return row.values_schema === null ? null : JSON.parse(row.values_schema)
}

/** Only what a link may lead to; a chart can say anything. */
function webAddress(address: string | undefined): string | null {
  if (!address || !URL.canParse(address)) return null
  return /^https?:$/.test(new URL(address).protocol) ? address : null
}
