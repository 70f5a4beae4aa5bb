import type { Kubeconfig } from '@quayside/contract/cluster'
import { tokenSeconds } from '../../adapters/kubernetes/account-token.ts'
import { writeKubeconfigs } from '../../adapters/kubernetes/kubeconfig.ts'
import { type Actor, holds } from '../../kernel/actor.ts'
import { fail } from '../../kernel/errors.ts'
import type { Clusters } from './index.ts'

interface Place {
  spaceId: string
  clusterId: string
}

/** Who may deploy may change what runs; anybody else who sees deployments may look, but not at Secrets. */
const roleOf = (actor: Actor) => (holds(actor, 'catalog-apps', 'catalog.deploy') ? 'edit' : 'view')

/** A kubeconfig of a person: an account of their own in each space's namespace, with the rights they have now. */
export async function personKubeconfig(
  clusters: Pick<Clusters, 'connection' | 'record' | 'space'>,
  actor: Actor,
  places: readonly Place[],
): Promise<Kubeconfig> {
  const { tenantId, userId } = actor
  const role = roleOf(actor)
  const since = Date.now()
  const accesses = await Promise.all(
    places.map(async ({ spaceId, clusterId }) => {
      const [space, cluster] = await Promise.all([
        clusters.space(tenantId, spaceId),
        clusters.record(tenantId, clusterId),
      ])
      if (!space) throw fail('space.not-found')
      if (!cluster) throw fail('cluster.not-found')
      if (!space.clusterIds.includes(clusterId)) throw fail('cluster.not-in-space')
      const connection = await clusters.connection(tenantId, clusterId)
      const labels = { 'quayside.io/space': spaceId, 'quayside.io/tenant': tenantId }
      const access = await connection.personAccess({ namespace: space.namespace, userId, role, labels })
      return { ...access, name: `${space.name}@${cluster.name}` }
    }),
  )
  const expiresAt = new Date(since + tokenSeconds * 1000).toISOString()
  return { kubeconfig: writeKubeconfigs(accesses), role, expiresAt }
}
