import type { Kubeconfig } from '@quayside/contract/cluster'
import type { Space } from '@quayside/contract/portal-api'
import { usePortal } from './portal.tsx'
import { useAccess } from './use-access.ts'

/** Loads a kubeconfig of the person for the clusters of some spaces; undefined when the person may not have one. */
export function useKubeconfig(): ((spaces: readonly Space[]) => Promise<string>) | undefined {
  const { api } = usePortal()
  const mayView = useAccess('catalog-apps', 'catalog.deployments.view')
  const mayDeploy = useAccess('catalog-apps', 'catalog.deploy')
  if (!mayView && !mayDeploy) return undefined
  return async (spaces) => {
    const places = spaces.flatMap(({ id, clusters }) =>
      clusters.map((cluster) => ({ spaceId: id, clusterId: cluster.id })),
    )
    if (places.length === 0) throw new Error('No space has a cluster yet.')
    const reply = await api.post<Kubeconfig>('/cluster/v1/kubeconfigs', { places })
    return reply.kubeconfig
  }
}
