import { type Action, type ActionEvent, deployments } from '@quayside/contract/deployments/endpoints'
import { ledger } from '@quayside/contract/deployments/ledger'
import { actionSorts } from '@quayside/contract/deployments/sorts'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { untilAnswered } from '../../lib/api/until-answered.ts'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'
import { allRows } from '../lists/all-rows.ts'
import { orderOf } from '../lists/order.ts'
import { actionListQuery, actionsKey, isDeployment } from './actions.ts'

const actionsPerPage = 50
/** The socket tells of beginnings and ends; what happens in between is looked up while somebody looks. */
const refreshMs = 1500

interface LedgerFilters {
  q: string
  state: string | undefined
  kind: string | undefined
  spaceId: string | undefined
  clusterId: string | undefined
  appId: string | undefined
  startedBy: string | undefined
}

/** A page of the ledger, what runs first; the shell has it read again when an action begins or ends. */
export function useLedger({ q, ...filters }: LedgerFilters, sort: string | undefined, skip: number) {
  const { api } = usePortal()
  const query = { search: q, filters, sort: orderOf(sort, actionSorts), page: { skip, limit: actionsPerPage } }
  return useQuery({
    ...actionListQuery(api, ['ledger', q, filters, sort, skip], query),
    placeholderData: keepPreviousData,
  })
}

/** Every action that passes the filters, for a file. */
export function useAllActions({ q, ...filters }: LedgerFilters, sort: string | undefined): () => Promise<Action[]> {
  const { api } = usePortal()
  const query = { search: q, filters, sort: orderOf(sort, actionSorts) }
  return () => allRows((page) => call(api, deployments.listActions, { query: { ...query, page } }))
}

/** Everybody who has started an action; read again with the ledger. */
export function useStarters() {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...actionsKey, 'starters'],
    queryFn: async ({ signal }) => (await call(api, ledger.listStarters, { signal })).data,
  })
}

/** Where a running action stands is looked up: only beginnings and ends are told. */
const lookAgainMs = 2000

/** The running action of an app, other than assigning and preparing; null when there is none. */
export function useRunningActionOf(appId: string, isAsked: boolean) {
  const { api } = usePortal()
  return useQuery({
    ...actionListQuery(api, ['of-app', appId], {
      filters: { state: 'running', appId },
      page: { skip: 0, limit: 5 },
    }),
    enabled: isAsked,
    refetchInterval: lookAgainMs,
    select: ({ data }) => data.find(isDeployment) ?? null,
  })
}

/** The newest installation of an app that has failed; null when none is known. */
export function useFailedInstall(appId: string) {
  const { api } = usePortal()
  const filters = { appId, kind: 'Deploy', state: 'Failed' }
  return useQuery({
    ...actionListQuery(api, ['failed-install', appId], { filters, page: { skip: 0, limit: 1 } }),
    select: ({ data }) => data[0] ?? null,
  })
}

export const actionQuery = (api: Api, actionId: string) =>
  queryOptions({
    queryKey: [...actionsKey, actionId],
    queryFn: () => call(api, deployments.getAction, { params: { id: actionId } }),
  })

/** An action of the ledger, read again while it runs. */
export function useAction(id: string) {
  const { api } = usePortal()
  return useQuery({
    ...actionQuery(api, id),
    refetchInterval: ({ state }) => (state.data?.running ? refreshMs : false),
  })
}

/** The events of an action so far, read again while it runs; `read` turns them into the data that is shown. */
export function useActionEvents<T>(id: string, running: boolean, read: (after: EventsAfter) => Promise<T>) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...actionsKey, id, 'lines'],
    queryFn: ({ signal }) =>
      read(
        async (after) => (await call(api, deployments.actionEvents, { params: { id }, query: { after }, signal })).data,
      ),
    refetchInterval: running ? refreshMs : false,
  })
}

/** The events of an action after a number; the answer may be only the first of them. */
type EventsAfter = (seq: number) => Promise<readonly ActionEvent[]>

/** Waits on the server until an action has ended or the seconds (at most 60) are over, and answers how it stands. */
export const waitForAction = (api: Api, id: string, seconds: number, signal?: AbortSignal): Promise<Action> =>
  call(api, deployments.getAction, { params: { id }, query: { wait: seconds }, signal })

/** The newest successful deletion of an app, as far as the ledger knows. */
export async function deletionOf(api: Api, appId: string): Promise<Action | undefined> {
  const filters = { appId, kind: 'Delete', state: 'Success' }
  return (await call(api, deployments.listActions, { query: { filters, page: { skip: 0, limit: 1 } } })).data[0]
}

/** Does a failed action again with the same input, and answers with the new one. */
export function useRetryAction() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn(id: string) {
      const headers = { 'idempotency-key': crypto.randomUUID() }
      return untilAnswered(() => call(api, deployments.retryAction, { params: { id }, headers }))
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: actionsKey }),
  })
}
