import { setTimeout as delay } from 'node:timers/promises'
import type { Scope } from '@quayside/contract/permissions/scopes'
import type { ClusterConnection } from '../../../adapters/kubernetes/kubernetes.ts'
import type { Holder } from '../../../platform/auth/actor.ts'
import { createSemaphore, type Semaphore } from '../../../platform/concurrency/semaphore.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { HeldStore } from '../outside/rights/held-store.ts'
import type { ClusterPorts } from '../ports.ts'
import type { Connections } from '../registry/connections.ts'
import type { Store as ClusterStore } from '../store.ts'
import { judge, roleFrom } from './judge.ts'
import type { KubeconfigStore } from './store.ts'

type Row = Awaited<ReturnType<KubeconfigStore['open']>>[number]

interface SweepDeps {
  store: KubeconfigStore
  clusters: Pick<ClusterStore, 'find' | 'everyone'>
  connections: Pick<Connections, 'to' | 'ofRow'>
  ports: Pick<ClusterPorts, 'space' | 'personNow' | 'scopesIn'>
  held: Pick<HeldStore, 'isElevated'>
  /** Runs work on one replica at a time; on the others it does nothing. */
  alone(work: () => Promise<void>): Promise<void>
  log: Logger
}

/** With the way to the identity server and to the cluster, what somebody loses is lost by kubectl within five seconds. */
export const sweepEveryMs = 2000
const atOnce = 8
const atOnceOnCluster = 4
/** For clusters that do not answer: the others must not wait for them. */
const mostWaitMs = 1000

/**
 * Holds the kubeconfigs that people have to what these may do now, and takes off clusters what counts no more: those of
 * people who are gone, of rights that were lost, of spaces and clusters that were removed. A cluster that is away is
 * asked again at each look.
 */
export function createSweep(deps: SweepDeps) {
  const { store, ports, log } = deps
  const slots = createSemaphore(atOnce)
  const { onCluster, underWay } = createClusterWork(deps)

  async function lookAt(row: Row, scopes: ReadonlyMap<string, ReadonlySet<Scope>> | undefined): Promise<void> {
    const { id, tenant_id: tenantId, space_id: spaceId, cluster_id: clusterId } = row
    const [space, isElevated] = await Promise.all([
      ports.space(tenantId, spaceId),
      deps.held.isElevated(tenantId, clusterId, spaceId),
    ])
    const role = scopes ? roleFrom(scopes.get(spaceId) ?? none, isElevated) : isElevated ? 'viewer' : row.role
    const verdict = judge(row.role, {
      isExpired: row.is_expired,
      isLate: row.is_late,
      spaceClusterIds: space?.clusterIds,
      clusterId,
      role,
    })
    if (verdict.do === 'end') {
      await store.end(tenantId, { ids: [id] }, { because: verdict.because })
      return remove(row)
    }
    if (verdict.do === 'keep') return
    onCluster(row, async (connection) => {
      await connection.bindPerson({ id, namespace: row.namespace, role: verdict.to, tenantId, spaceId, clusterId })
      await store.setRole(tenantId, id, verdict.to)
    })
  }

  async function remove(row: Row): Promise<void> {
    const { id, tenant_id: tenantId, namespace } = row
    if (!(await deps.clusters.find(tenantId, row.cluster_id))) return void (await store.setRemoved(tenantId, id))
    onCluster(row, async (connection) => {
      await connection.endPersonAccess({ id, namespace })
      await store.setRemoved(tenantId, id)
    })
  }

  async function sweep(): Promise<void> {
    const open = await store.open()
    const ending = open.filter(({ ended_at }) => ended_at !== null)
    const byHolder = Map.groupBy(
      open.filter(({ ended_at }) => ended_at === null),
      ({ tenant_id, user_id }) => `${tenant_id} ${user_id}`,
    )
    const work = [
      ...[...byHolder.values()].map((rows) => async () => {
        const scopes = await scopesOf(ports, rows)
        for (const row of rows) await lookAt(row, scopes)
      }),
      ...ending.map((row) => () => remove(row)),
    ]
    const results = await Promise.allSettled(work.map((each) => inSlot(slots, each)))
    for (const result of results)
      if (result.status === 'rejected') log.warn({ err: result.reason }, 'a kubeconfig could not be looked at')
    await Promise.race([Promise.all(underWay()), delay(mostWaitMs, undefined, { ref: false })])
  }

  return {
    look: sharingTheNext(() => deps.alone(sweep)),

    /** Takes off each cluster what no kubeconfig of ours stands for, and what versions before this one have left. */
    tidy: () => tidy(deps),
  }
}
const none: ReadonlySet<Scope> = new Set()

/** The identity server that cannot be asked says nothing about anybody: what was handed out lives on until it is. */
async function scopesOf(
  ports: SweepDeps['ports'],
  rows: readonly Row[],
): Promise<ReadonlyMap<string, ReadonlySet<Scope>> | undefined> {
  const [first] = rows
  if (!first) return undefined
  try {
    const person: Holder | undefined = await ports.personNow(first.tenant_id, first.user_id)
    return person
      ? await ports.scopesIn(person, [...new Set(rows.map(({ space_id }) => space_id))])
      : new Map<string, ReadonlySet<Scope>>()
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return undefined
  }
}

async function inSlot(line: Semaphore, work: () => Promise<void>): Promise<void> {
  const end = await line.acquire()
  try {
    await work()
  } finally {
    end()
  }
}

/** Work on clusters, a kubeconfig at a time: a cluster that hangs does not hold up the others. */
function createClusterWork({ connections, log }: Pick<SweepDeps, 'connections' | 'log'>) {
  const slotsOfClusters = new Map<string, Semaphore>()
  /** By the id of the kubeconfig. */
  const underWay = new Map<string, Promise<void>>()
  const silent = new Set<string>()

  function onCluster(row: Row, work: (connection: ClusterConnection) => Promise<void>): void {
    if (underWay.has(row.id)) return
    const line = slotsOfClusters.get(row.cluster_id) ?? createSemaphore(atOnceOnCluster)
    slotsOfClusters.set(row.cluster_id, line)
    const done = inSlot(line, () => attempt(row, work))
      .catch((error: unknown) => log.warn({ err: error, kubeconfig: row.id }, 'a kubeconfig could not be changed'))
      .finally(() => underWay.delete(row.id))
    underWay.set(row.id, done)
  }

  /** Says once of each cluster that it does not answer. */
  async function attempt(row: Row, work: (connection: ClusterConnection) => Promise<void>): Promise<void> {
    try {
      await work(await connections.to(row.tenant_id, row.cluster_id))
      silent.delete(row.cluster_id)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (!silent.has(row.cluster_id))
        log.warn({ err: error, clusterId: row.cluster_id, kubeconfig: row.id }, 'a kubeconfig could not be ended yet')
      silent.add(row.cluster_id)
    }
  }

  return { onCluster, underWay: () => underWay.values() }
}

/** Runs a look; calls during one share the next. */
function sharingTheNext(sweep: () => Promise<void>): () => Promise<void> {
  let looking: Promise<void> | undefined
  let again: Promise<void> | undefined
  return function look(): Promise<void> {
    if (!looking) {
      looking = sweep().finally(() => {
        looking = undefined
      })
      return looking
    }
    again ??= looking
      .catch(() => undefined)
      .then(() => {
        again = undefined
        return look()
      })
    return again
  }
}

/** Takes off each cluster what no kubeconfig of ours stands for, and what versions before this one have left. */
async function tidy({ store, clusters, connections, log }: SweepDeps): Promise<void> {
  await store.forgetOld()
  for (const cluster of await clusters.everyone())
    try {
      const connection = connections.ofRow(cluster)
      const registration = { tenantId: cluster.tenant_id, clusterId: cluster.id }
      const there = await connection.personAccesses(registration)
      // Read after the cluster: the row of what is made meanwhile was there before it.
      const open = new Set((await store.open()).map(({ id }) => id))
      for (const access of there) if (!open.has(access.id)) await connection.endPersonAccess(access)
      const former = await connection.removeFormerAccounts(cluster.tenant_id)
      if (former > 0) log.info({ clusterId: cluster.id, former }, 'accounts of people were removed from spaces')
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      log.debug({ err: error, clusterId: cluster.id }, 'a cluster was not tidied')
    }
}
