import type { UploadReply } from '@quayside/contract/catalog/endpoints'
import { sql, type Transaction } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Db } from '../../platform/db/db.ts'
import { shortId } from '../../platform/db/ids.ts'
import { storedJson } from '../../platform/db/stored-json.ts'
import { fail } from '../../platform/http/errors.ts'
import type { InspectedChart } from './intake/inspect.ts'
import { intakeLimits } from './intake/limits.ts'
import { newestOf } from './newest-first.ts'
import type { ItemTable, Tables } from './tables.ts'

/** Puts an inspected chart into the tenant's catalog, as one transaction and one upload of a tenant at a time. */
export function publish(db: Db, by: Publisher | Origin, inspected: InspectedChart): Promise<UploadReply> {
  return db.tenant<Tables, UploadReply>(by.tenantId, (trx) => write(trx, by, inspected))
}

/** The source that brings a package, instead of an account that uploads it. */
export interface Origin {
  tenantId: string
  sourceId: string
  /** When the run began: items that are older were there before it. */
  since: Date
  /** Tells whether it adds to an item of the same name that was uploaded. */
  addsToUploads: boolean
}

/** The account that uploads a package. */
export type Publisher = Pick<Actor, 'tenantId' | 'userId' | 'username'>

/** Lets one change of a tenant's items and versions in at a time. */
export const lockCatalog = (trx: Transaction<Tables>, tenantId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`catalog:${tenantId}`}, 0))`.execute(trx)

async function write(
  trx: Transaction<Tables>,
  by: Publisher | Origin,
  inspected: InspectedChart,
): Promise<UploadReply> {
  const { tenantId } = by
  const { name, version } = inspected.chart
  await lockCatalog(trx, tenantId)
  const known = await trx
    .selectFrom('catalog_versions')
    .innerJoin('catalog_items', 'catalog_items.id', 'catalog_versions.item_id')
    .select(['catalog_versions.id', 'catalog_versions.item_id', 'catalog_versions.digest'])
    .where('catalog_items.name', '=', name)
    .where('catalog_versions.version', '=', version)
    .executeTakeFirst()
  const reply = { success: true as const, name, version }
  if ('sourceId' in by) await mustBeOfSource(trx, by, name)
  if (known) {
    if (known.digest !== inspected.package.digest) {
      throw fail('catalog.version-exists', {
        field: 'file',
        message: `${name} ${version} is in the catalog already with different content. Give the changed chart another version.`,
        details: { versionId: known.id, itemId: known.item_id },
      })
    }
    return {
      ...reply,
      message: `${name} ${version} was there already.`,
      itemId: known.item_id,
      versionId: known.id,
      unchanged: true,
    }
  }
  await keepPackage(trx, tenantId, inspected)
  const itemId = await ensureItem(trx, by, inspected)
  const versionId = await addVersion(trx, by, itemId, inspected)
  await showNewest(trx, itemId)
  await markNew(trx, by, itemId, versionId)
  return { ...reply, message: `${name} ${version} is in the catalog.`, itemId, versionId, unchanged: false }
}

async function keepPackage(trx: Transaction<Tables>, tenantId: string, inspected: InspectedChart): Promise<void> {
  const { bytes, digest } = inspected.package
  const { used } = await trx
    .selectFrom('catalog_packages')
    .select(sql<number>`coalesce(sum(size_bytes), 0)::float8`.as('used'))
    .executeTakeFirstOrThrow()
  if (used + bytes.length > intakeLimits.tenantBytes) {
    throw fail('catalog.quota', { field: 'file', details: { usedBytes: used, limitBytes: intakeLimits.tenantBytes } })
  }
  await trx
    .insertInto('catalog_packages')
    .values({ tenant_id: tenantId, digest, bytes, size_bytes: bytes.length })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'digest']).doNothing())
    .execute()
}

/** A stranger's chart must not become the newest version of an item that the tenant has from elsewhere. */
async function mustBeOfSource(
  trx: Transaction<Tables>,
  { sourceId, addsToUploads }: Origin,
  name: string,
): Promise<void> {
  const source = await trx
    .selectFrom('catalog_source')
    .select('id')
    .where('id', '=', sourceId)
    .forKeyShare()
    .executeTakeFirst()
  if (!source) throw fail('catalog.source-not-found')
  const item = await trx
    .selectFrom('catalog_items')
    .leftJoin('catalog_source', 'catalog_source.id', 'catalog_items.source_id')
    .select(['catalog_items.id', 'source_id', 'catalog_source.name as source'])
    .where('catalog_items.name', '=', name)
    .executeTakeFirst()
  if (!item || item.source_id === sourceId) return
  if (item.source_id === null && addsToUploads) {
    await trx.updateTable('catalog_items').set({ source_id: sourceId }).where('id', '=', item.id).execute()
    return
  }
  const from = item.source === null ? 'was uploaded' : `comes from the source ${item.source}`
  throw fail('catalog.item-from-elsewhere', { message: `The catalog has a chart of this name that ${from}.` })
}

/**
 * Marks an item whose newest version a source has brought, unless the item itself came with the same run. The mark goes
 * when somebody uploads a newer one.
 */
async function markNew(trx: Transaction<Tables>, by: Publisher | Origin, itemId: string, versionId: string) {
  const newest = trx.updateTable('catalog_items').where('id', '=', itemId).where('latest_version_id', '=', versionId)
  if ('sourceId' in by) await newest.set({ new_version_at: sql`now()` }).where('created_at', '<', by.since).execute()
  else await newest.set({ new_version_at: null }).execute()
}

async function ensureItem(
  trx: Transaction<Tables>,
  by: Publisher | Origin,
  inspected: InspectedChart,
): Promise<string> {
  const { name } = inspected.chart
  const known = await trx.selectFrom('catalog_items').select('id').where('name', '=', name).executeTakeFirst()
  if (known) return known.id
  const id = shortId(12)
  const columns = columnsOfVersion(inspected)
  await trx
    .insertInto('catalog_items')
    .values({
      ...columns,
      id,
      tenant_id: by.tenantId,
      source_id: 'sourceId' in by ? by.sourceId : null,
      name,
      // The tenant chooses the charts that head its catalog; a chart from elsewhere does not choose itself.
      featured: 'sourceId' in by ? false : inspected.metadata.featured,
      latest_version_id: '',
      version_count: 0,
    })
    .execute()
  return id
}

type VersionColumns = Omit<
  ItemTable,
  | 'id'
  | 'tenant_id'
  | 'name'
  | 'featured'
  | 'visible'
  | 'enabled'
  | 'created_at'
  | 'updated_at'
  | 'version_count'
  | 'latest_version_id'
  | 'source_id'
  | 'new_version_at'
>

/** The columns of a catalog item that show one of its versions. */
function columnsOfVersion({
  metadata,
  chart,
  icon,
}: Pick<InspectedChart, 'metadata' | 'chart' | 'icon'>): VersionColumns {
  return {
    type: metadata.type,
    app_kind: metadata.appKind,
    app_type: metadata.appType,
    category: metadata.category,
    tags: metadata.tags,
    keywords: chart.keywords,
    icon_uri: icon.iconUri,
    icon_embedded: icon.iconEmbedded,
    color: metadata.color,
    manufacturer_id: metadata.manufacturer.id,
    manufacturer_name: metadata.manufacturer.name,
    display_name: metadata.displayName,
    description: metadata.description,
    short_description: metadata.shortDescription,
    latest_version: chart.version,
  }
}

async function addVersion(trx: Transaction<Tables>, by: Publisher | Origin, itemId: string, inspected: InspectedChart) {
  const { chart, metadata, icon } = inspected
  const id = shortId(12)
  await trx
    .insertInto('catalog_versions')
    .values({
      id,
      tenant_id: by.tenantId,
      ...('sourceId' in by
        ? { source_id: by.sourceId, brought_by: by.sourceId, published_by: null, published_by_id: null }
        : { source_id: null, brought_by: null, published_by: by.username, published_by_id: by.userId }),
      item_id: itemId,
      version: chart.version,
      digest: inspected.package.digest,
      size_bytes: inspected.package.bytes.length,
      app_version: chart.appVersion ?? null,
      kube_version: chart.kubeVersion ?? null,
      deprecated: chart.deprecated,
      icon_uri: icon.iconUri,
      icon_embedded: icon.iconEmbedded,
      metadata: storedJson(metadata),
      chart: storedJson(chart),
      readme: inspected.readme,
      values_yaml: inspected.valuesYaml,
      values_schema: inspected.valuesSchema === null ? null : JSON.stringify(inspected.valuesSchema),
    })
    .execute()
  return id
}

/** Lets the item show its newest version, whichever was uploaded last. */
export async function showNewest(trx: Transaction<Tables>, itemId: string): Promise<void> {
  const versions = await trx
    .selectFrom('catalog_versions')
    .select(['id', 'version', 'metadata', 'chart', 'icon_uri', 'icon_embedded'])
    .where('item_id', '=', itemId)
    .execute()
  const newest = newestOf(versions)
  if (!newest) return
  const icon = { iconUri: newest.icon_uri, iconEmbedded: newest.icon_embedded }
  await trx
    .updateTable('catalog_items')
    .set({
      ...columnsOfVersion({ metadata: newest.metadata, chart: newest.chart, icon }),
      latest_version_id: newest.id,
      version_count: versions.length,
      updated_at: sql`now()`,
    })
    .where('id', '=', itemId)
    .execute()
}
