import type { App, AppState } from '@quayside/contract/apps/endpoints'
import { sql, type Updateable } from 'kysely'
import type { ClusterName } from '../spaces/index.ts'
import type { AppTable } from './tables.ts'

/** Fields of an app that the engine and the watchers write; null clears. */
export interface AppRecordPatch {
  displayName?: string
  description?: string
  shortDescription?: string
  color?: string
  tags?: string[]
  resourceRoles?: string[]
  state?: AppState
  stateMessage?: string | null
  releaseName?: string | null
  revision?: number | null
  catalogVersionId?: string
  version?: string
  iconUri?: string | null
  iconEmbedded?: string | null
}

/** An app without what other services know of it. */
export type AppRecord = Omit<App, 'clusterName' | 'availableVersion'>

/** The record of an app with the name of its space. */
export type AppRow = Omit<AppTable, 'created_at' | 'updated_at'> & {
  created_at: Date
  updated_at: Date
  space_name: string
}

export function toColumns(patch: AppRecordPatch): Updateable<AppTable> {
  const columns: Updateable<AppTable> = {
    display_name: patch.displayName,
    description: patch.description,
    short_description: patch.shortDescription,
    color: patch.color,
    tags: patch.tags && [...new Set(patch.tags)],
    resource_roles: patch.resourceRoles,
    state: patch.state,
    state_message: patch.stateMessage,
    release_name: patch.releaseName,
    revision: patch.revision,
    catalog_version_id: patch.catalogVersionId,
    version: patch.version,
    icon_uri: patch.iconUri,
    icon_embedded: patch.iconEmbedded,
  }
  // Watchers report states all the time; only what people or the engine did counts as a change.
  const isStateOnly = Object.keys(patch).every((key) => key === 'state' || key === 'stateMessage')
  const set = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
  return isStateOnly ? set : { ...set, updated_at: sql`now()` as never }
}

export function toApp(row: AppRow, clusters: Map<string, ClusterName>, newest: Map<string, string>): App {
  const latest = newest.get(row.catalog_item_id)
  return {
    ...toRecord(row),
    clusterName: clusters.get(row.cluster_id)?.displayName ?? '',
    availableVersion: latest && latest !== row.version ? latest : null,
  }
}

export function toRecord(row: AppRow): AppRecord {
  return {
    id: row.id,
    identifier: row.id,
    name: row.name,
    displayName: row.display_name,
    description: row.description,
    shortDescription: row.short_description,
    color: row.color,
    iconUri: row.icon_uri,
    iconEmbedded: row.icon_embedded,
    tags: row.tags,
    resourceRoles: row.resource_roles.map((name) => ({ id: `${row.id}:${name}`, name })),
    itemType: row.item_type,
    appType: row.app_type,
    spaceId: row.space_id,
    spaceName: row.space_name,
    clusterId: row.cluster_id,
    catalogItemId: row.catalog_item_id,
    catalogItemName: row.catalog_item_name,
    catalogVersionId: row.catalog_version_id,
    version: row.version,
    releaseName: row.release_name,
    namespace: row.namespace,
    revision: row.revision,
    state: row.state as AppState,
    stateMessage: row.state_message,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    updatedAt: row.updated_at.toISOString(),
  }
}
