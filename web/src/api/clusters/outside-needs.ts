import { askingApproval } from '@quayside/contract/clusters/outside'
import { clusterRules } from '@quayside/contract/clusters/rules'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'
import { approvalsKey, useLiveApprovals } from './cluster-rules.ts'

type Asked = InputOf<typeof askingApproval.askApproval>['body']

/** Asks whoever edits the cluster for the objects that a release needs outside of its space. */
export function useAskApproval(versionId: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Asked) => call(api, askingApproval.askApproval, { params: { id: versionId }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: approvalsKey }),
  })
}

/** One request for objects outside of a space, read again when somebody answers it. */
export function useApproval(id: string | null) {
  const { api } = usePortal()
  useLiveApprovals()
  return useQuery({
    queryKey: [...approvalsKey, 'one', id],
    enabled: id !== null,
    queryFn: ({ signal }) => call(api, clusterRules.getApproval, { params: { id: id ?? '' }, signal }),
  })
}
