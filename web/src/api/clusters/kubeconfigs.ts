import { kubeconfigs } from '@quayside/contract/clusters/kubeconfigs'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'

/** The kubeconfigs to list: one's own, or all that give access to a space or a cluster. */
export type Reach = { of: 'me' } | { of: 'space' | 'cluster'; id: string }

const keyOf = (reach: Reach) => ['kubeconfigs', reach] as const
/** How soon it is seen that a cluster has ended what is ending there. */
const endingMs = 2000

const kubeconfigsPerPage = 50

export function useKubeconfigs(reach: Reach, skip: number) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...keyOf(reach), skip],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const query = { page: { skip, limit: kubeconfigsPerPage } }
      if (reach.of === 'me') return call(api, kubeconfigs.listMine, { query, signal })
      const params = { id: reach.id }
      const list = reach.of === 'space' ? kubeconfigs.listOfSpace : kubeconfigs.listOfCluster
      return call(api, list, { params, query, signal })
    },
    refetchInterval: ({ state }) => (state.data?.data.some((one) => one.state === 'ending') ? endingMs : false),
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
