import type { App, AppPatch } from '@quayside/contract/apps/endpoints'
import { mostTags } from '@quayside/contract/http/limits'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import type { SpaceCondition } from '../../platform/auth/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import { fail } from '../../platform/http/errors.ts'
import { listReply } from '../../platform/http/listing.ts'
import type { ClusterName } from '../spaces/index.ts'
import { type AppRecord, type AppRow, toApp, toRecord } from './rows.ts'
import { type AppStore, createAppStore } from './store.ts'

export type { AppRecord } from './rows.ts'

interface AppPorts {
  clusterNames(tenantId: string): Promise<Map<string, ClusterName>>
  /** The newest version of each catalog item, by item id. */
  newestVersions(tenantId: string): Promise<Map<string, string>>
}

/** The records of apps, and what lists and pages show of them. */
export function createApps(db: Db, ports: AppPorts) {
  const store = createAppStore(db)
  const { create, patchRecord, setSeenState, remove, showIcon } = store
  const { deployed, deployedIn, releasesOn, countsByCluster, countsByState } = store
  const reads = createAppReads(store, ports)
  return {
    ...reads,
    ...createAppChanges(store, reads.get),
    ...{ create, patchRecord, setSeenState, remove, showIcon },
    ...{ deployed, deployedIn, releasesOn, countsByCluster, countsByState },
    deployedByItem: createItemCounts(store),
  }
}
export type Apps = ReturnType<typeof createApps>

/** Apps as lists and pages show them, and the records that other services ask for. */
function createAppReads(store: AppStore, ports: AppPorts) {
  async function present(tenantId: string, rows: AppRow[]): Promise<App[]> {
    const [clusters, newest] = await Promise.all([ports.clusterNames(tenantId), ports.newestVersions(tenantId)])
    return rows.map((row) => toApp(row, clusters, newest))
  }

  async function find(tenantId: string, id: string): Promise<App | undefined> {
    const row = await store.one(tenantId, id)
    return row && (await present(tenantId, [row]))[0]
  }

  async function get(tenantId: string, id: string): Promise<App> {
    const app = await find(tenantId, id)
    if (!app) throw fail('app.not-found')
    return app
  }

  return {
    /** `within` keeps the apps of some spaces; left out, those of all. */
    async list(tenantId: string, query: ListQuery, path: string, within?: SpaceCondition): Promise<ListReply<App>> {
      const { rows, total } = await store.page(tenantId, query, within)
      return listReply(await present(tenantId, rows), total, query, path)
    },
    find,
    /** The app's own record: one query instead of three, for frequent callers. */
    async record(tenantId: string, id: string): Promise<AppRecord | undefined> {
      const row = await store.one(tenantId, id)
      return row && toRecord(row)
    },
    get,
    async byIds(tenantId: string, ids: string[], within?: SpaceCondition): Promise<App[]> {
      return ids.length === 0 ? [] : present(tenantId, await store.byIds(tenantId, ids, within))
    },
  }
}

/** Changes that a person makes to an app. */
function createAppChanges(store: AppStore, get: (tenantId: string, id: string) => Promise<App>) {
  return {
    async patch(tenantId: string, id: string, patch: AppPatch): Promise<App> {
      const isEmpty = Object.keys(patch).length === 0
      if (!isEmpty && !(await store.patchRecord(tenantId, id, patch))) throw fail('app.not-found')
      return get(tenantId, id)
    },
    /** Adds a tag, or takes it off. */
    async setTag(tenantId: string, id: string, tag: string, isSet: boolean): Promise<App> {
      const tags = await store.setTag(tenantId, id, tag, isSet)
      if (tags === undefined) throw fail('app.not-found')
      if (isSet && !tags.includes(tag))
        throw fail('request.invalid', { field: 'tag', message: `tag: an app has at most ${mostTags} tags` })
      return get(tenantId, id)
    },
  }
}

function createItemCounts(store: AppStore) {
  /**
   * How many apps of each catalog item are deployed. An installation that has not succeeded counts as soon as it may
   * have written something, which `begun` knows; a record that was only assigned does not.
   */
  return async function deployedByItem(
    tenantId: string,
    begun: (appIds: string[]) => Promise<Set<string>>,
    within?: SpaceCondition,
  ): Promise<Map<string, number>> {
    const released = await store.released(tenantId, within)
    const hasBegun = await begun(released.filter(({ revision }) => revision === null).map(({ id }) => id))
    const counts = new Map<string, number>()
    for (const { id, item, revision } of released)
      if (revision !== null || hasBegun.has(id)) counts.set(item, (counts.get(item) ?? 0) + 1)
    return counts
  }
}
