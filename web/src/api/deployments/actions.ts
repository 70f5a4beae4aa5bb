import { type Action, deployments } from '@quayside/contract/deployments/endpoints'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { againMs } from '../../lib/query-client.ts'
import { appsKey } from '../apps.ts'
import { call, type InputOf } from '../client.ts'
import { useLive } from '../live.ts'

/** Everything that is read of the ledger. */
export const actionsKey = ['actions'] as const

type ListInput = InputOf<typeof deployments.listActions>['query']

/** A part of the ledger; `part` names it among the queries. */
export const actionListQuery = (api: Api, part: readonly unknown[], query: ListInput) =>
  queryOptions({
    queryKey: [...actionsKey, ...part],
    queryFn: ({ signal }) => call(api, deployments.listActions, { query, signal }),
  })

/** Assigning and preparing are steps of a wizard. */
export const isDeployment = ({ kind }: Action) => kind !== 'Assign' && kind !== 'Prepare'
/** The socket brings news at once; this only catches what a lost connection missed. */
const fallbackMs = 30_000
/** How soon it is seen that an action which can be cancelled or aborted has come further. */
const waitingMs = 3000

/** Everybody's running actions, other than assigning and preparing; read again when one begins or ends. */
export function useRunningActions(isAsked: boolean) {
  const { api } = usePortal()
  useLive({ topic: 'actions' }, actionsKey)
  return useQuery({
    ...actionListQuery(api, ['running'], { filters: { state: 'running' }, page: { skip: 0, limit: 50 } }),
    enabled: isAsked,
    refetchInterval: (query) =>
      againMs(query) ||
      (query.state.data?.data.some(({ cancellable, abortable }) => cancellable || abortable) ? waitingMs : fallbackMs),
    select: ({ data }) => data.filter(isDeployment),
  })
}

/** Takes an action back for which no Helm was started; the server refuses when it is too late. */
export const cancelAction = (api: Api, id: string) => call(api, deployments.cancelAction, { params: { id } })

/** Ends an action whenever that is asked, with the Helm that was started for it. */
export const abortAction = (api: Api, id: string) => call(api, deployments.abortAction, { params: { id } })

/** Has everything read again that an action changes by beginning or being cancelled. */
export function useActionChanged(): () => Promise<unknown> {
  const queries = useQueryClient()
  return () => Promise.all([actionsKey, appsKey].map((queryKey) => queries.invalidateQueries({ queryKey })))
}
