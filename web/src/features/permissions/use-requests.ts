import type { AccessAnswer, AccessRequest, AccessRequestInput } from '@quayside/contract/access-requests'
import type { Explanation } from '@quayside/contract/explain'
import type { ListReply } from '@quayside/contract/paging'
import type { Section } from '@quayside/contract/roles'
import type { Scope } from '@quayside/contract/scopes'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isGone } from '../../lib/api/api-error.ts'
import { usePortal } from '../../lib/portal.tsx'

const path = '/portal-api/v3/access-requests'

/** Everything that a note about requests, or about rights, makes stale. */
const staleAfterAnswer = [['requests'], ['explain'], ['spaces']] as const

function useRequestChange<Input, Reply>(run: (input: Input) => Promise<Reply>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSettled: () => Promise.all(staleAfterAnswer.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
}

export function useAsk(spaceId: string) {
  const { api } = usePortal()
  return useRequestChange((input: AccessRequestInput) =>
    api.post<AccessRequest>(`/portal-api/v3/spaces/${encodeURIComponent(spaceId)}/access-requests`, input),
  )
}

export function useAnswer() {
  const { api } = usePortal()
  return useRequestChange(({ id, ...answer }: AccessAnswer & { id: string }) =>
    api.post<AccessRequest>(`${path}/${encodeURIComponent(id)}/answer`, answer),
  )
}

export function useWithdraw() {
  const { api } = usePortal()
  return useRequestChange((id: string) => api.delete<void>(`${path}/${encodeURIComponent(id)}`))
}

/** A scope in the space of a thing, or a role of the tenant. */
export type Explained =
  | { scope: Scope; place: 'space' | 'app' | 'action'; id: string; user?: string }
  | { role: `${Section}:${string}` }

export function useExplanation(asked: Explained | undefined) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['explain', asked],
    queryFn: ({ signal }) => api.get<Explanation>('/portal-api/v3/explain', { signal, query: { ...asked } }),
    enabled: ({ state }) => asked !== undefined && !isGone(state.error),
  })
}

export const listsOfRequests = { toAnswer: ['requests', 'to-answer'], mine: ['requests', 'mine'] } as const

/** Open requests that the person may answer: of one space, or of all. */
export function useRequestsToAnswer(spaceId?: string, enabled = true) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...listsOfRequests.toAnswer, spaceId ?? 'all'],
    enabled,
    queryFn: ({ signal }) =>
      api.get<ListReply<AccessRequest>>(path, {
        signal,
        query: { filters: spaceId === undefined ? {} : { spaceId }, page: { skip: 0, limit: 100 } },
      }),
  })
}

/** What the person has asked for, newest first. */
export function useMyRequests() {
  const { api } = usePortal()
  return useQuery({
    queryKey: listsOfRequests.mine,
    queryFn: ({ signal }) =>
      api.get<ListReply<AccessRequest>>(`${path}/mine`, { signal, query: { page: { skip: 0, limit: 50 } } }),
  })
}
