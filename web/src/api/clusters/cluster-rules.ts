import { type Approval, clusterRules, type SpaceOnClusterPatch } from '@quayside/contract/clusters/rules'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'
import { useLive } from '../live.ts'

/** Everything about a cluster is read again with it; approvals have a topic of their own. */
const rulesKey = (id: string) => ['clusters', 'rules', id] as const
const spacesKey = (id: string) => ['clusters', 'spaces', id] as const
export const approvalsKey = ['approvals'] as const

type NewRule = InputOf<typeof clusterRules.addRule>['body']
type Answer = InputOf<typeof clusterRules.answerApproval>['body']

/** The rules that let charts create objects on a cluster outside their space. */
export function useClusterRules(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: rulesKey(id),
    queryFn: async ({ signal }) => (await call(api, clusterRules.listRules, { params: { id }, signal })).data,
  })
}

export function useAddRule(id: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: NewRule) => call(api, clusterRules.addRule, { params: { id }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: rulesKey(id) }),
  })
}

export function useRemoveRule(id: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (rule: string) => call(api, clusterRules.removeRule, { params: { id, rule } }),
    onSettled: () => queries.invalidateQueries({ queryKey: rulesKey(id) }),
  })
}

/** Has requests for objects outside of spaces read again when the server tells of one. */
export function useLiveApprovals(): void {
  useLive({ topic: 'approvals' }, approvalsKey)
}

/** Requests for objects outside of a space on a cluster, open ones first. */
export function useApprovals(clusterId: string) {
  const { api } = usePortal()
  useLiveApprovals()
  return useQuery({
    queryKey: [...approvalsKey, clusterId],
    queryFn: async ({ signal }) => {
      const query = { filters: { clusterId }, page: { skip: 0, limit: 1000 } }
      return (await call(api, clusterRules.listApprovals, { query, signal })).data as Approval[]
    },
  })
}

export function useAnswerApproval() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, ...body }: Answer & { id: string }) =>
      call(api, clusterRules.answerApproval, { params: { id }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: approvalsKey }),
  })
}

export function useEndApproval() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(api, clusterRules.endApproval, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: approvalsKey }),
  })
}

/** The spaces on a cluster with what holds them apart. */
export function useSpacesOn(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: spacesKey(id),
    queryFn: async ({ signal }) => (await call(api, clusterRules.listSpacesOn, { params: { id }, signal })).data,
  })
}

/** Clusters on which whoever runs a pod of a space has rights outside of it. */
export function useElevation(spaceId: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['spaces', 'elevation', spaceId],
    queryFn: async ({ signal }) =>
      (await call(api, clusterRules.elevationOfSpace, { params: { id: spaceId }, signal })).data,
  })
}

export function useChangeSpaceOn(id: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ spaceId, ...body }: SpaceOnClusterPatch & { spaceId: string }) =>
      call(api, clusterRules.changeSpaceOn, { params: { id, spaceId }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: spacesKey(id) }),
  })
}
