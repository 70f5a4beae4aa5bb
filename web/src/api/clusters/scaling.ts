import { scaling, type WorkloadLimits } from '@quayside/contract/clusters/scaling'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'
import { useActionChanged } from '../deployments/actions.ts'
import { waitForAction } from '../deployments/ledger.ts'
import { workloadKey } from '../workloads.ts'
import { clustersKey } from './clusters.ts'

/** Seconds for which the server waits with an answer. */
const longestWait = 30

/** Replicas, requests and limits of an app's workloads, and the quotas of its space. */
export function useLimits(appId: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...workloadKey(appId), 'limits'],
    queryFn: ({ signal }) => call(api, scaling.limitsOfApp, { params: { id: appId }, signal }),
    placeholderData: keepPreviousData,
  })
}

type Change =
  | { set: 'replicas'; body: InputOf<typeof scaling.scale>['body'] }
  | { set: 'limits'; body: InputOf<typeof scaling.setLimits>['body'] }
  | { set: 'restart'; body: InputOf<typeof scaling.restart>['body'] }

/** Changes a workload, and waits until the ledger says how that has ended. */
export function useChangeWorkload(appId: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  const actionChanged = useActionChanged()
  const send = (change: Change) => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    if (change.set === 'replicas') return call(api, scaling.scale, { body: change.body, headers })
    if (change.set === 'limits') return call(api, scaling.setLimits, { body: change.body, headers })
    return call(api, scaling.restart, { body: change.body, headers })
  }
  return useMutation({
    async mutationFn(change: Change) {
      const { actionId } = await send(change)
      const ended = await waitForAction(api, actionId, longestWait)
      if (ended.state === 'Failed') throw new Error(ended.result?.summary ?? 'The change failed')
      return ended.result?.summary ?? ''
    },
    onSettled: () => Promise.all([queries.invalidateQueries({ queryKey: workloadKey(appId) }), actionChanged()]),
  })
}

/** Node pools of a cluster, and why there are none. */
export function useNodePools(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...clustersKey, 'pools', id],
    queryFn: ({ signal }) => call(api, scaling.nodePools, { params: { id }, signal }),
  })
}

/** Resizes a node pool; the answer is a sentence. */
export function useResizePool() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof scaling.resize>['body']) =>
      call(api, scaling.resize, { body }) as Promise<unknown> as Promise<string>,
    onSettled: () => queries.invalidateQueries({ queryKey: clustersKey }),
  })
}

export type Container = WorkloadLimits['containers'][number]
