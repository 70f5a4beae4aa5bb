import { setTimeout as delay } from 'node:timers/promises'
import type { Prometheus } from '../../../adapters/prometheus/prometheus.ts'
import { createSemaphore } from '../../../platform/concurrency/semaphore.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { Apps } from '../../apps/index.ts'
import type { Clusters } from '../../clusters/index.ts'
import type { Spaces } from '../../spaces/index.ts'
import type { CollectionStore } from '../store.ts'
import { releaseKey, samplesOf } from './samples.ts'

interface CollectorDeps {
  store: Pick<CollectionStore, 'claim' | 'collected' | 'failed'>
  prometheus: Prometheus
  everySeconds: number
  clusters: Pick<Clusters, 'ofAllTenants' | 'usage'>
  spaces: Pick<Spaces, 'usersOf'>
  apps: Pick<Apps, 'releasesOn'>
  log: Logger
}
type Cluster = Awaited<ReturnType<Clusters['ofAllTenants']>>[number]

/** Clusters that one replica collects at a time; those beyond wait. */
const mostAtOnce = 32
const samplesPerRequest = 10_000
const longestRoundMs = 20_000
const problemInGeneral = 'Its figures could not be collected.'
const partlyRefused = 'The metrics server takes no more series, or refuses some of these figures.'

/** Collects what runs on clusters uses. Each cluster is a task of its own, so that a slow one holds up no other. */
export function createCollector(deps: CollectorDeps) {
  const { store, prometheus, everySeconds, clusters, spaces, apps, log } = deps
  const places = createSemaphore(mostAtOnce)
  const running = new Map<string, Promise<void>>()
  /** The problem of each cluster, so that one that stays is logged once. */
  const problems = new Map<string, string>()
  let isEnding = false

  function note(clusterId: string, problem: string, error?: unknown): void {
    if (problems.get(clusterId) !== problem)
      log.warn({ err: error, clusterId, problem }, 'the usage of a cluster could not be collected as a whole')
    problems.set(clusterId, problem)
  }

  async function write(cluster: Cluster): Promise<void> {
    const { id: clusterId, tenantId } = cluster
    const [users, releases] = await Promise.all([
      spaces.usersOf(tenantId, [clusterId]),
      apps.releasesOn(tenantId, clusterId),
    ])
    const namespaces = new Map([...users].map(([spaceId, { namespace }]) => [namespace, spaceId]))
    const patienceMs = Math.min(longestRoundMs, everySeconds * 1000)
    const use = await clusters.usage({ tenantId, clusterId }, [...namespaces.keys()], patienceMs)
    const at = new Date()
    const samples = samplesOf({
      ...{ tenantId, clusterId, use, spaces: namespaces },
      apps: new Map(releases.map(({ id, namespace, releaseName }) => [releaseKey(namespace, releaseName), id])),
      whole: { requests: amountOf(cluster.requested), capacity: amountOf(cluster.capacity) },
    })
    let isWhole = true
    for (let first = 0; first < samples.length; first += samplesPerRequest)
      if (!(await prometheus.write(samples.slice(first, first + samplesPerRequest), at.getTime()))) isWhole = false
    await store.collected(cluster, at, isWhole ? null : partlyRefused)
    if (isWhole) problems.delete(clusterId)
    else note(clusterId, partlyRefused)
  }

  async function collect(cluster: Cluster): Promise<void> {
    try {
      await write(cluster)
    } catch (error) {
      const problem = error instanceof Failure ? error.message : problemInGeneral
      note(cluster.id, problem, error)
      await store.failed(cluster, problem)
    }
  }

  return {
    /** Begins with the clusters that are due, and does not wait for them. */
    async look(): Promise<void> {
      if (isEnding) return
      const idle = (await clusters.ofAllTenants()).filter(({ id }) => !running.has(id))
      const claimed = idle.length === 0 ? new Set<string>() : await store.claim(idle, everySeconds)
      for (const cluster of idle.filter(({ id }) => claimed.has(id))) {
        const task = places
          .run(() => collect(cluster))
          .catch((error: unknown) => log.warn({ err: error, clusterId: cluster.id }, 'a collection was not noted'))
          .finally(() => running.delete(cluster.id))
        running.set(cluster.id, task)
      }
    },
    /** Begins no further collection, and waits for those that are under way, for a while. */
    async settled(patienceMs: number): Promise<void> {
      isEnding = true
      await Promise.race([Promise.all(running.values()), delay(patienceMs, undefined, { ref: false })])
    },
  }
}

const amountOf = ({ cpuMillis, memoryBytes }: Cluster['capacity']) => ({ cpu: cpuMillis / 1000, memory: memoryBytes })
