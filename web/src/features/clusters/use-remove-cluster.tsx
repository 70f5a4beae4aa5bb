import type { Cluster } from '@quayside/contract/clusters/endpoints'
import { useNavigate } from '@tanstack/react-router'
import { useDeregisterCluster } from '../../api/clusters/cluster.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'

/** Asks, deregisters and opens the action that carries it out; says why when the server will not. */
export function useRemoveCluster() {
  const confirm = useConfirm()
  const tell = useTellFailure()
  const navigate = useNavigate()
  const remove = useDeregisterCluster()
  return async (cluster: Cluster): Promise<void> => {
    const sure = await confirm({
      title: 'Deregister cluster',
      danger: true,
      message: (
        <>
          Deregister <bdi>{cluster.displayName}</bdi>? The namespaces of its spaces are removed from it with everything
          in them, volumes too, and so are all accounts of the portal. Only a cluster without apps can be deregistered.
        </>
      ),
    })
    if (!sure) return
    const ended = await remove.mutateAsync({ id: cluster.id }).catch(tell('The cluster was not deregistered'))
    if (ended) void navigate({ to: '/cloud-automation/$actionId', params: { actionId: ended.actionId } })
  }
}
