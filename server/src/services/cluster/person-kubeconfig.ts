import type { Kubeconfig } from '@quayside/contract/cluster'
import type { Scope } from '@quayside/contract/scopes'
import { tokenSeconds } from '../../adapters/kubernetes/account-token.ts'
import { writeKubeconfigs } from '../../adapters/kubernetes/kubeconfig.ts'
import type { Actor } from '../../kernel/actor.ts'
import { fail } from '../../kernel/errors.ts'
import type { Access } from '../../kernel/rights.ts'
import type { Clusters } from './index.ts'

interface Place {
  spaceId: string
  clusterId: string
}

/** Who manages the apps of a space and sees their secrets may change what runs there; others may look, but not at Secrets. */
const roleIn = (scopes: ReadonlySet<Scope>) =>
  scopes.has('app.manage') && scopes.has('app.secrets') ? ('edit' as const) : ('view' as const)

/** A kubeconfig of a person: an account of their own in each space's namespace, with the rights they have now. */
export async function personKubeconfig(
  clusters: Pick<Clusters, 'connection' | 'record' | 'space' | 'elsewhere'>,
  actor: Actor,
  places: readonly Place[],
  access: Pick<Access, 'at'>,
): Promise<Kubeconfig> {
  const { tenantId, userId } = actor
  const since = Date.now()
  const accesses = await Promise.all(
    places.map(async ({ spaceId, clusterId }) => {
      const [space, cluster] = await Promise.all([
        clusters.space(tenantId, spaceId),
        clusters.record(tenantId, clusterId),
      ])
      if (!space) throw fail('space.not-found', { field: 'places[].spaceId' })
      if (!cluster || !space.clusterIds.includes(clusterId))
        throw await clusters.elsewhere(actor, clusterId, 'places[].clusterId')
      const role = roleIn(access.at(spaceId))
      const connection = await clusters.connection(tenantId, clusterId)
      const labels = { 'quayside.io/space': spaceId, 'quayside.io/tenant': tenantId }
      const handed = await connection.personAccess({ namespace: space.namespace, userId, role, labels })
      return { ...handed, role, name: `${space.name}@${cluster.name}` }
    }),
  )
  const expiresAt = new Date(since + tokenSeconds * 1000).toISOString()
  const role = accesses.some((each) => each.role === 'edit') ? 'edit' : 'view'
  return { kubeconfig: writeKubeconfigs(accesses), role, expiresAt }
}
