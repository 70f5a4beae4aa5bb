import type { Accepted, Action, ActionEvent } from '@quayside/contract/deployment'
import type { ListReply } from '@quayside/contract/paging'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { explainError } from '../../../lib/api/api-error.ts'
import { untilAnswered } from '../../../lib/api/until-answered.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { useConfirm } from '../../../ui/confirm.tsx'
import { useRepair } from '../../../ui/use-repair.ts'
import { actionQuery } from '../api.ts'
import { everyEvent, linesOf } from './log-lines.ts'

export const pageSize = 50
/** The socket tells of beginnings and ends; lines in between are fetched while somebody looks. */
const refreshMs = 1500

export interface LedgerFilters {
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
  const order = sort && { [sort.replace('-', '')]: sort.startsWith('-') ? 'DESC' : 'ASC' }
  return useQuery({
    queryKey: ['actions', 'ledger', q, filters, sort, skip],
    queryFn: ({ signal }) =>
      api.get<ListReply<Action>>('/deployment/v1/actions', {
        signal,
        query: { search: q, filters, ...(order ? { sort: order } : {}), page: { skip, limit: pageSize } },
      }),
    placeholderData: keepPreviousData,
  })
}

/** Everybody who has started an action; read again with the ledger. */
export function useStarters() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['actions', 'starters'],
    queryFn: ({ signal }) => api.get<{ data: string[] }>('/deployment/v1/actions/people', { signal }),
  })
}

export function useAction(id: string) {
  const { api } = usePortal()
  return useQuery({
    ...actionQuery(api, id),
    refetchInterval: ({ state }) => (state.data?.running ? refreshMs : false),
  })
}

/** Every line that an action has told so far. */
export function useActionLines(id: string, running: boolean) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['actions', id, 'lines'],
    queryFn: async ({ signal }) => {
      const path = `/deployment/v1/actions/${id}/events`
      const eventsAfter = (after: number) => api.get<{ data: ActionEvent[] }>(path, { signal, query: { after } })
      return linesOf(await everyEvent(async (seq) => (await eventsAfter(seq)).data))
    },
    refetchInterval: running ? refreshMs : false,
  })
}

/** Repairing and doing again; these answer with the action to look at, or tell why not. */
export function useActionDeeds() {
  const { api } = usePortal()
  const queries = useQueryClient()
  const confirm = useConfirm()
  const repair = useRepair()
  async function carryOut<T>(deed: () => Promise<T>): Promise<T | undefined> {
    try {
      return await deed()
    } catch (error) {
      await confirm({ type: 'alert', title: 'Not done', message: explainError(error, navigator.onLine).message })
      return undefined
    } finally {
      void queries.invalidateQueries({ queryKey: ['actions'] })
    }
  }
  return {
    async repair({ appId, appName }: Action): Promise<string | undefined> {
      const what = `If Helm was interrupted and left the release of ${appName} locked, its newest revision is marked as failed, so that the app can be changed again.`
      return carryOut(() => repair(appId ?? '', what))
    },
    async retry(action: Action): Promise<string | undefined> {
      const what = `${action.kind} of ${action.appName} ${action.version ?? ''}`.trim()
      const message = `${what} is done again with the same input.`
      if (!(await confirm({ title: 'Try again', message }))) return undefined
      const headers = { 'idempotency-key': crypto.randomUUID() }
      const path = `/deployment/v1/actions/${action.id}/retry`
      const send = () => untilAnswered(() => api.post<Accepted>(path, undefined, { headers }))
      const again = await carryOut(send)
      return again?.actionId
    },
  }
}
