import { kubeconfigs } from '@quayside/contract/kubeconfigs'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../lib/portal.tsx'
import { call } from './client.ts'

/** Whose kubeconfigs: one's own, or those that reach into a space or a cluster. */
export type Reach = { of: 'me' } | { of: 'space' | 'cluster'; id: string }

const keyOf = (reach: Reach) => ['kubeconfigs', reach] as const
/** How soon it is seen that a cluster has ended what is ending there. */
const endingMs = 2000

export function useKubeconfigs(reach: Reach) {
  const { api } = usePortal()
  return useQuery({
    queryKey: keyOf(reach),
    queryFn: async ({ signal }) => {
      if (reach.of === 'me') return (await call(api, kubeconfigs.listMine, { signal })).data
      const params = { id: reach.id }
      const list = reach.of === 'space' ? kubeconfigs.listOfSpace : kubeconfigs.listOfCluster
      return (await call(api, list, { params, signal })).data
    },
    refetchInterval: ({ state }) => (state.data?.some((one) => one.state === 'ending') ? endingMs : false),
  })
}

export function useEndKubeconfig(reach: Reach) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    async mutationFn(kubeconfigId: string) {
      if (reach.of === 'me') return call(api, kubeconfigs.endMine, { params: { id: kubeconfigId } })
      const params = { id: reach.id, kubeconfigId }
      return call(api, reach.of === 'space' ? kubeconfigs.endInSpace : kubeconfigs.endOnCluster, { params })
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['kubeconfigs'] }),
  })
}
