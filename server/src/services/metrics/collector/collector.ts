import { setTimeout as delay } from 'node:timers/promises'
import type { Prometheus } from '../../../adapters/prometheus/prometheus.ts'
import type { Sample } from '../../../adapters/prometheus/remote-write.ts'
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
/** The first request is small: a server that holds too many series takes it, and one that refuses everything does not. */
const firstSamples = 100
const samplesPerRequest = 10_000
const longestRoundMs = 20_000
const problemInGeneral = 'Usage could not be collected from this cluster.'
const partlyRefused = 'The metrics server rejected some samples, for example because it holds too many series.'

/** Collects what runs on clusters uses. Each cluster is a task of its own, so that a slow one holds up no other. */
export function createCollector(deps: CollectorDeps) {
  const { store, prometheus, everySeconds, clusters, spaces, apps, log } = deps
  const places = createSemaphore(mostAtOnce)
  const running = new Map<string, Promise<void>>()
  /** The problem of each cluster, so that one that stays is logged once. */
  const problems = new Map<string, string>()
  let isEnding = false
  let beginning = Promise.resolve()

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
    const maxWaitMs = Math.min(longestRoundMs, everySeconds * 1000)
    const use = await clusters.usage({ tenantId, clusterId }, [...namespaces.keys()], maxWaitMs)
    const at = new Date()
    const samples = samplesOf({
      ...{ tenantId, clusterId, use, spaces: namespaces },
      apps: new Map(releases.map(({ id, namespace, releaseName }) => [releaseKey(namespace, releaseName), id])),
      whole: { requests: amountOf(cluster.requested), capacity: amountOf(cluster.capacity) },
    })
    const answers: boolean[] = []
    for (const request of requestsOf(samples)) answers.push(await prometheus.write(request, at.getTime()))
    const isWhole = !answers.includes(false)
    if (isWhole || answers.includes(true)) await store.collected(cluster, at, isWhole ? null : partlyRefused)
    else await store.failed(cluster, partlyRefused)
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

  async function beginDue(): Promise<void> {
    const all = await clusters.ofAllTenants()
    const ids = new Set(all.map(({ id }) => id))
    for (const id of problems.keys()) if (!ids.has(id)) problems.delete(id)
    const idle = all.filter(({ id }) => !running.has(id))
    // A claimed cluster is collected in any case: nobody else does before the claim ends.
    const claimed = isEnding || idle.length === 0 ? new Set<string>() : await store.claim(idle, everySeconds)
    for (const cluster of idle.filter(({ id }) => claimed.has(id))) {
      const task = places
        .run(() => collect(cluster))
        .catch((error: unknown) => log.warn({ err: error, clusterId: cluster.id }, 'a collection was not noted'))
        .finally(() => running.delete(cluster.id))
      running.set(cluster.id, task)
    }
  }

  return {
    /** Begins with the clusters that are due, and does not wait for them. */
    collectDue(): Promise<void> {
      const begun = isEnding ? Promise.resolve() : beginDue()
      beginning = begun.catch(() => undefined)
      return begun
    },
    /** Begins no further collection, and waits for those that are under way, for a while. */
    async drain(maxWaitMs: number): Promise<void> {
      isEnding = true
      const ended = beginning.then(() => Promise.all(running.values()))
      await Promise.race([ended, delay(maxWaitMs, undefined, { ref: false })])
    },
  }
}

function requestsOf(samples: readonly Sample[]): (readonly Sample[])[] {
  const requests = [samples.slice(0, firstSamples)]
  for (let at = firstSamples; at < samples.length; at += samplesPerRequest)
    requests.push(samples.slice(at, at + samplesPerRequest))
  return requests
}

const amountOf = ({ cpuMillis, memoryBytes }: Cluster['capacity']) => ({ cpu: cpuMillis / 1000, memory: memoryBytes })
