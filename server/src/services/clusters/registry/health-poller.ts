import { setTimeout as delay } from 'node:timers/promises'
import { mapLimit } from '../../../platform/concurrency/map-limit.ts'
import type { Db } from '../../../platform/db/db.ts'
import type { Live } from '../../../platform/live/live.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { ClusterPorts } from '../ports.ts'
import type { AppWatch } from '../releases/app-watch.ts'
import type { ClusterRow, Store } from '../store.ts'
import { readNamespace } from '../workloads/namespace-view.ts'
import type { WatchCaches } from '../workloads/watch-cache.ts'
import type { Connections } from './connections.ts'
import { type Look, lookAt } from './health.ts'

/** Any number: it only has to be the same on every replica and nobody else's. */
const lockKey = 7_150_221
const atOnce = 4
/** A closed port answers at once and a silent one never: who asks is told after the same time. */
const unreachableMs = 3000

interface HealthPollerDeps {
  db: Db
  store: Store
  connections: Connections
  watchCaches: WatchCaches
  ports: ClusterPorts
  appWatch: AppWatch
  live: Pick<Live, 'changed'>
  log: Logger
}

/** The slow pass that keeps clusters and apps fresh that nobody looks at. One replica makes it at a time. */
export function createHealthPoller(deps: HealthPollerDeps) {
  const { db, store, connections, ports, appWatch, live, log } = deps

  async function look(row: ClusterRow): Promise<Look> {
    const since = performance.now()
    const seen = await lookAt(connections.ofRow(row))
    if (seen.report.health === 'unreachable') await delay(Math.max(0, unreachableMs - (performance.now() - since)))
    await store.report(row.tenant_id, row.id, seen.report)
    if (seen.report.health !== row.health || seen.report.health_message !== row.health_message) {
      live.changed(row.tenant_id, 'cluster', row.id)
      live.changed(row.tenant_id, 'clusters')
    }
    return seen
  }

  async function lookAtApps(row: ClusterRow, appIds: readonly string[]): Promise<void> {
    const connection = connections.ofRow(row)
    const views = new Map<string, ReturnType<typeof readNamespace>>()
    await mapLimit(atOnce, appIds, async (appId) => {
      const app = await ports.app(row.tenant_id, appId)
      if (!app) return
      const view = views.get(app.namespace) ?? readNamespace(connection, app.namespace)
      views.set(app.namespace, view)
      await appWatch.refresh(row.tenant_id, appId, await view)
    })
  }

  async function round(): Promise<void> {
    const [clusters, apps] = await Promise.all([store.everyone(), ports.deployedApps()])
    await mapLimit(atOnce, clusters, async (row) => {
      try {
        const { report } = await look(row)
        if (report.health === 'unreachable') return
        const own = apps.filter(({ clusterId, tenantId }) => clusterId === row.id && tenantId === row.tenant_id)
        await lookAtApps(
          row,
          own.map(({ id }) => id),
        )
      } catch (error) {
        log.warn({ err: error, clusterId: row.id }, 'a cluster could not be looked at')
      }
    })
  }

  return {
    look,
    async pass(): Promise<void> {
      const client = await db.pool.connect()
      try {
        const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [lockKey])
        if (!rows[0]?.mine) return
        try {
          await round()
        } finally {
          await client.query('select pg_advisory_unlock($1)', [lockKey])
        }
      } finally {
        client.release()
      }
    },
  }
}
export type HealthPoller = ReturnType<typeof createHealthPoller>
