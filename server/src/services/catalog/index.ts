import type {
  CatalogItem,
  CatalogVersion,
  CatalogVersionDetail,
  UploadReply,
} from '@quayside/contract/catalog/endpoints'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import type { FastifyRequest } from 'fastify'
import type { FetchPicture } from '../../adapters/pictures/fetch-picture.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { SpaceCondition } from '../../platform/auth/rights.ts'
import { createSemaphore } from '../../platform/concurrency/semaphore.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Encryption } from '../../platform/encryption/encryption.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { crdNames } from './crd-names.ts'
import { createIconPass } from './icons-from-elsewhere.ts'
import { intakeLimits } from './intake/limits.ts'
import { newestFirst } from './newest-first.ts'
import { createPackageCache } from './package-cache.ts'
import { schemaOf, toDetail, toItem, toItemAlone, toVersion } from './present.ts'
import type { Publisher } from './publish.ts'
import { indexYaml } from './repository.ts'
import { createSources, type SourceDeps } from './sources/index.ts'
import { createStore } from './store.ts'
import { createTakeIn } from './take-in.ts'
import { createUpload } from './upload.ts'
import { createUploadFolder } from './upload-folder.ts'

interface CatalogDeps {
  db: Db
  config: Pick<Config, 'dataDir' | 'fetchIcons'> & SourceDeps['config']
  log: Logger
  jobs: Jobs
  encryption: Encryption
  fetchPicture: FetchPicture
  changed: Live['changed']
  /** Gives the apps whose icon was at an address the picture from there. */
  iconFound(tenantId: string, address: string, picture: string): Promise<void>
  /** How many apps of these spaces, or of all, are deployed from each item, by item id. */
  deployedCounts(tenantId: string, within?: SpaceCondition): Promise<ReadonlyMap<string, number>>
  /** The item that an app was made from, if the caller sees the app. */
  itemOfApp(actor: Actor, appId: string): Promise<string | undefined>
}

const betweenIconsMs = 15_000

/** A version with what a deployment needs of its package. */
interface VersionOf {
  version: CatalogVersion
  /** Without how often it is deployed, which is another service's to count. */
  item: Omit<CatalogItem, 'deployedCount'>
  valuesYaml: string
  valuesSchema: unknown | null
  /** Id of the account that has uploaded the version; null where it was not kept. */
  publisherId: string | null
  /** Id of the source that brought the version, also when that is gone; null for one that was uploaded. */
  sourceId: string | null
}

/** Items, their versions and packages. */
export function createCatalog(deps: CatalogDeps) {
  const store = createStore(deps.db)
  const folder = createUploadFolder(deps.config.dataDir)
  const inspections = createSemaphore(intakeLimits.atOnce)
  const intake = { db: deps.db, folder, inspections }
  const upload = createUpload(intake)
  const sources = createSources({
    ...deps,
    takeIn: createTakeIn(intake),
    removeUnused: async (tenantId, { items, versions }) => {
      const deployed = await deps.deployedCounts(tenantId)
      const unused = items.filter((id) => (deployed.get(id) ?? 0) === 0)
      return store.removeVersions(tenantId, { items: unused, versions })
    },
  })

  async function versionRow(tenantId: string, id: string) {
    const row = await store.version(tenantId, id)
    if (!row) throw fail('catalog.version-not-found')
    return row
  }

  async function versions(tenantId: string, itemId: string): Promise<ListReply<CatalogVersion>> {
    const rows = newestFirst(await store.versionsOf(tenantId, itemId))
    if (rows.length === 0) throw fail('catalog.item-not-found')
    const page = { skip: 0, limit: Math.max(100, rows.length) }
    return { data: rows.map(toVersion), page: { ...page, total: rows.length }, next: null }
  }

  return {
    sources,

    /** Removes uploads of a process that was killed, and starts fetching icons and runs of sources. */
    async start() {
      await folder.sweep()
      await sources.start()
      if (deps.config.fetchIcons) deps.jobs.every(betweenIconsMs, createIconPass({ ...deps, found: deps.iconFound }))
    },
    ...createItems(deps, store),

    detail: async (tenantId: string, id: string): Promise<CatalogVersionDetail> =>
      toDetail(await versionRow(tenantId, id)),
    versionsOfItem: versions,
    /** By the id of an app, or of any version of the wanted item. */
    async versionsOfApp(actor: Actor, id: string): Promise<ListReply<CatalogVersion>> {
      const { tenantId } = actor
      const itemId = (await deps.itemOfApp(actor, id)) ?? (await store.version(tenantId, id))?.item_id
      if (!itemId) throw fail('app.not-found')
      return versions(tenantId, itemId)
    },
    manufacturers: (tenantId: string, query: ListQuery, path: string) => store.manufacturers(tenantId, query, path),
    async upload(
      by: Publisher,
      request: FastifyRequest,
      mustStillBeAllowed: () => Promise<unknown>,
    ): Promise<UploadReply> {
      const reply = await upload(by, request, mustStillBeAllowed)
      if (!reply.unchanged) deps.changed(by.tenantId, 'catalog', reply.itemId)
      return reply
    },
    ...createPackages(deps, store),

    /** Id of the account of this name that was the last to upload anything; undefined when none has. */
    publisherNamed: store.publisherNamed,

    /** The newest version of each item, by item id. */
    async newestVersions(tenantId: string): Promise<Map<string, string>> {
      return new Map((await store.latest(tenantId)).map((row) => [row.id, row.latest_version]))
    },
  }
}

type Store = ReturnType<typeof createStore>

/** Items, with how many apps of each are deployed. */
function createItems(deps: CatalogDeps, store: Store) {
  async function get(
    tenantId: string,
    by: { id: string } | { name: string },
    within?: SpaceCondition,
  ): Promise<CatalogItem> {
    const row = await store.item(tenantId, by)
    if (!row) throw fail('catalog.item-not-found')
    return toItem(row, await deps.deployedCounts(tenantId, within))
  }

  return {
    /** `within` says of which spaces the apps are counted; left out, of all. */
    async list(
      tenantId: string,
      query: ListQuery,
      path: string,
      within?: SpaceCondition,
    ): Promise<ListReply<CatalogItem>> {
      const [found, deployed] = await Promise.all([
        store.list(tenantId, query, path),
        deps.deployedCounts(tenantId, within),
      ])
      return { ...found, data: found.data.map((row) => toItem(row, deployed)) }
    },
    get,
    async feature(tenantId: string, id: string, featured: boolean, within?: SpaceCondition): Promise<CatalogItem> {
      const row = await store.feature(tenantId, id, featured)
      if (!row) throw fail('catalog.item-not-found')
      deps.changed(tenantId, 'catalog', id)
      return toItem(row, await deps.deployedCounts(tenantId, within))
    },
    /** In use by whichever app; how many is said of those that the caller sees. */
    async remove(tenantId: string, id: string, within?: SpaceCondition): Promise<void> {
      const item = await get(tenantId, { id })
      if (item.deployedCount > 0) {
        const { deployedCount } = within ? await get(tenantId, { id }, within) : item
        throw fail('catalog.in-use', { details: { apps: deployedCount } })
      }
      await store.remove(tenantId, id)
      deps.changed(tenantId, 'catalog', id)
    },
  }
}

/** Packages and what stands in them, for a deployment and for the repository. */
function createPackages({ config }: CatalogDeps, store: Store) {
  const cache = createPackageCache(config.dataDir)
  function stored(tenantId: string, digest: string) {
    return cache.fileOf(digest, async () => {
      const bytes = await store.packageBytes(tenantId, digest)
      if (!bytes) throw fail('catalog.version-not-found')
      return bytes
    })
  }

  return {
    repositoryIndex: async (tenantId: string): Promise<string> => indexYaml(await store.allVersions(tenantId)),
    /** The bytes of a package by its file name, such as `shop-1.2.0.tgz`. */
    async repositoryFile(tenantId: string, file: string): Promise<Buffer> {
      const found = file.endsWith('.tgz') ? await store.digestOfFile(tenantId, file.slice(0, -4)) : undefined
      const bytes = found && (await store.packageBytes(tenantId, found.digest))
      if (!bytes) throw fail('catalog.version-not-found')
      return bytes
    },
    async versionOf(tenantId: string, versionId: string): Promise<VersionOf | undefined> {
      const found = await store.versionWithItem(tenantId, versionId)
      if (!found) return undefined
      const { version, item } = found
      return {
        version: toVersion(version),
        item: toItemAlone(item),
        valuesYaml: version.values_yaml,
        valuesSchema: schemaOf(version),
        publisherId: version.published_by_id,
        sourceId: version.brought_by,
      }
    },
    /** Path of our own package on the local disk, checked against its digest, which a version names. */
    packageFile: stored,
    /** Names of the definitions that a version ships apart from its templates; none of one that is not there any more. */
    async crdsOf(tenantId: string, versionId: string): Promise<string[]> {
      const row = await store.version(tenantId, versionId)
      const bytes = row && (await store.packageBytes(tenantId, row.digest))
      return bytes ? crdNames(bytes) : []
    },
  }
}

export type Catalog = ReturnType<typeof createCatalog>
