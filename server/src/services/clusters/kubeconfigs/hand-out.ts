import {
  type HandedOutKubeconfig,
  type Kubeconfig,
  mostKubeconfigsOfPlace,
} from '@quayside/contract/clusters/kubeconfigs'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { writeKubeconfig, writeKubeconfigs } from '../../../adapters/kubernetes/kubeconfig.ts'
import { tokenSeconds } from '../../../adapters/kubernetes/space/account-token.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Access } from '../../../platform/auth/rights.ts'
import { longId } from '../../../platform/db/ids.ts'
import { fail } from '../../../platform/http/errors.ts'
import { listReply, mustKnowFilters, mustNotSort } from '../../../platform/http/listing.ts'
import type { HeldStore } from '../outside/rights/held-store.ts'
import type { ClusterPorts } from '../ports.ts'
import type { Connections } from '../registry/connections.ts'
import type { Store as ClusterStore } from '../store.ts'
import { highest, roleFrom } from './judge.ts'
import type { KubeconfigRow, KubeconfigStore, NewKubeconfig } from './store.ts'

interface Place {
  spaceId: string
  clusterId: string
}

/** Selects kubeconfigs: those of a person, of a space, or of a cluster. */
type Whose = { userId: string } | { spaceId: string } | { clusterId: string }

interface HandOutDeps {
  store: KubeconfigStore
  clusters: Pick<ClusterStore, 'find'>
  connections: Pick<Connections, 'to' | 'recent' | 'enforced' | 'ensureSpace'>
  ports: Pick<ClusterPorts, 'space'>
  held: Pick<HeldStore, 'isElevated'>
  /** Why a cluster cannot be used in a space. */
  elsewhere(actor: Actor, clusterId: string, field: string): Promise<Error>
  /** Looks now at what is to end. */
  look(): Promise<void>
}

/** Hands out kubeconfigs, shows which there are, and ends them. */
export function createHandOut(deps: HandOutDeps) {
  const { store, ports } = deps

  async function planned(actor: Actor, { spaceId, clusterId }: Place, access: Pick<Access, 'at'>) {
    const { tenantId, userId, username } = actor
    const [space, cluster] = await Promise.all([
      ports.space(tenantId, spaceId),
      deps.clusters.find(tenantId, clusterId),
    ])
    if (!space) throw fail('space.not-found', { field: 'places[].spaceId' })
    if (!cluster || !space.clusterIds.includes(clusterId))
      throw await deps.elsewhere(actor, clusterId, 'places[].clusterId')
    const role = roleFrom(access.at(spaceId), await deps.held.isElevated(tenantId, clusterId, spaceId))
    if (!role) throw fail('space.not-found', { field: 'places[].spaceId' })
    const row: NewKubeconfig = {
      id: longId(),
      tenant_id: tenantId,
      user_id: userId,
      username,
      space_id: spaceId,
      space_name: space.displayName,
      cluster_id: clusterId,
      cluster_name: cluster.display_name,
      namespace: space.namespace,
      role,
    }
    return { row, name: `${space.name}@${cluster.name}` }
  }

  return {
    /** One account for each place, with the rights that the caller has there now. */
    async create(actor: Actor, places: readonly Place[], access: Pick<Access, 'at'>): Promise<Kubeconfig> {
      const { tenantId } = actor
      const once = [...new Map(places.map((place) => [`${place.spaceId} ${place.clusterId}`, place])).values()]
      const plans = await Promise.all(once.map((place) => planned(actor, place, access)))
      const rows = plans.map(({ row }) => row)
      const since = Date.now()
      const surplus = await store.insert(tenantId, rows, { seconds: tokenSeconds, most: mostKubeconfigsOfPlace })
      if (surplus > 0) void deps.look()
      const results = await Promise.allSettled(plans.map((plan) => made(deps, plan)))
      const failed = results.find((result) => result.status === 'rejected')
      if (failed) {
        const ids = rows.map(({ id }) => id)
        await store.end(tenantId, { ids }, { because: 'failed' })
        void deps.look()
        throw failed.reason
      }
      const accesses = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
      const expiresAt = new Date(since + tokenSeconds * 1000).toISOString()
      const role = highest(rows.map((row) => row.role))
      return { kubeconfig: writeKubeconfigs(accesses), role, expiresAt }
    },

    async list(
      tenantId: string,
      whose: Whose,
      query: ListQuery,
      path: string,
    ): Promise<ListReply<HandedOutKubeconfig>> {
      mustKnowFilters(query.filters, [])
      mustNotSort(query.sort)
      const { rows, total } = await store.list(tenantId, whose, query.page)
      return listReply(rows.map(present), total, query, path)
    },

    /** Resolves when it is gone from its cluster, or when the cluster was asked for that. */
    async end(actor: Actor, id: string, whose: Whose): Promise<void> {
      const { tenantId, username } = actor
      const row = await store.find(tenantId, id)
      if (!row || !isOf(row, whose)) throw fail('kubeconfig.not-found')
      await store.end(tenantId, { ids: [id] }, { because: 'ended', by: username })
      await deps.look()
    },
  }
}
/** The row is stored before this begins: by it, leftovers on a cluster are found when this fails. */
async function made({ store, connections, held }: HandOutDeps, { row, name }: { row: NewKubeconfig; name: string }) {
  const { id, tenant_id: tenantId, cluster_id: clusterId, space_id: spaceId, namespace, role } = row
  const connection = await connections.to(tenantId, clusterId)
  // Its holder may start pods at once: by then the space has its network and its level, also where nothing was deployed.
  await connections.ensureSpace(await connections.recent(tenantId, clusterId), { namespace, spaceId })
  const handed = { ...(await connection.personAccess({ id, namespace, role, tenantId, spaceId, clusterId })), name }
  // A viewer only reads, and the policies are about writes.
  if (role !== 'viewer')
    await connections.enforced(
      await connections.recent(tenantId, clusterId),
      { kubeconfig: writeKubeconfig(handed), namespace },
      {
        policies: [
          'quayside-judged-revisions',
          'quayside-lasting-tokens',
          'quayside-own-priorities',
          'quayside-own-services',
        ],
      },
    )
  // The action that gives rights outside of the space lowers those that are there by then; this one comes before or after that.
  if (role !== 'viewer' && (await held.isElevated(tenantId, clusterId, spaceId))) {
    await connection.bindPerson({ id, namespace, role: 'viewer', tenantId, spaceId, clusterId })
    await store.setRole(tenantId, id, 'viewer')
    row.role = 'viewer'
  }
  // A kubeconfig that was ended meanwhile may have been removed before all of it was made: it is removed again.
  if (await store.setReady(tenantId, id)) return handed
  await connection.endPersonAccess({ id, namespace })
  throw fail('space.not-found', { field: 'places[].spaceId' })
}

function isOf(row: KubeconfigRow, whose: Whose): boolean {
  if ('userId' in whose) return row.user_id === whose.userId
  return 'spaceId' in whose ? row.space_id === whose.spaceId : row.cluster_id === whose.clusterId
}

function present(row: KubeconfigRow): HandedOutKubeconfig {
  const isEnded = row.ended_at !== null
  return {
    id: row.id,
    user: { id: row.user_id, name: row.username },
    space: { id: row.space_id, name: row.space_name },
    cluster: { id: row.cluster_id, name: row.cluster_name },
    role: row.role,
    state: isEnded ? (row.removed_at === null ? 'ending' : 'ended') : 'valid',
    issuedAt: row.issued_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    endedBecause: row.ended_because,
    endedBy: row.ended_by,
  }
}
