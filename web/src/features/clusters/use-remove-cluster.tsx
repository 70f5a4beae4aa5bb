import type { Cluster } from '@quayside/contract/cluster'
import { useDeregisterCluster } from '../../api/cluster.ts'
import { useConfirm } from '../../ui/confirm.tsx'

/** Asks, deregisters and says why when the server will not. True when the cluster is gone. */
export function useRemoveCluster() {
  const confirm = useConfirm()
  const remove = useDeregisterCluster()
  return async (cluster: Cluster): Promise<boolean> => {
    const sure = await confirm({
      title: 'Deregister cluster',
      danger: true,
      message: (
        <>
          Deregister <bdi>{cluster.displayName}</bdi>? The namespaces of its spaces are removed from it with everything
          in them, volumes too, and so are all accounts of the portal. Only a cluster without apps can be deregistered.
          Cloud automation shows how it goes.
        </>
      ),
    })
    if (!sure) return false
    try {
      await remove.mutateAsync(cluster.id)
      return true
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      await confirm({ type: 'alert', title: 'The cluster was not deregistered', message })
      return false
    }
  }
}
