import { type AccessRequest, accessRequests } from '@quayside/contract/permissions/access-requests'
import { explaining } from '@quayside/contract/permissions/explain'
import { roleRequests } from '@quayside/contract/permissions/role-requests'
import type { RoleId } from '@quayside/contract/permissions/roles'
import type { Scope } from '@quayside/contract/permissions/scopes'
import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { isGone } from '../../lib/api/api-error.ts'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'
import { useLive } from '../live.ts'
import { spacesKey } from '../spaces.ts'

export const explainKey = ['explain'] as const
const requestsKey = ['requests'] as const

/** Everything that a note about requests, or about rights, makes stale. */
const staleAfterAnswer = [requestsKey, explainKey, spacesKey]

function useRequestChange<Input, Reply>(run: (input: Input) => Promise<Reply>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSettled: () => Promise.all(staleAfterAnswer.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  })
}

/** Asks for a role in a space; without one, for a role of the tenant. */
export function useAsk(spaceId: string | undefined) {
  const { api } = usePortal()
  return useRequestChange((body: InputOf<typeof accessRequests.requestAccess>['body']) =>
    spaceId === undefined
      ? call(api, roleRequests.requestRole, { body })
      : call(api, accessRequests.requestAccess, { params: { id: spaceId }, body }),
  )
}

/** Answers a request for a role in a space, or, where it is for none, of the tenant. */
export function useAnswer({ id, space }: Pick<AccessRequest, 'id' | 'space'>) {
  const { api } = usePortal()
  return useRequestChange(({ role, ...body }: InputOf<typeof accessRequests.answerRequest>['body']) =>
    space === null
      ? call(api, roleRequests.answerRoleRequest, { params: { id }, body })
      : call(api, accessRequests.answerRequest, {
          params: { id },
          body: { ...body, ...(role === undefined ? {} : { role }) },
        }),
  )
}

export function useWithdraw() {
  const { api } = usePortal()
  return useRequestChange((id: string) => call(api, accessRequests.withdrawRequest, { params: { id } }))
}

/** A scope in the space of a thing, or a role of the tenant. */
export type Explained =
  | { scope: Scope; place: 'space' | 'app' | 'action'; id: string; user?: string }
  | { role: RoleId }

export function useExplanation(asked: Explained | undefined) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...explainKey, asked],
    queryFn: ({ signal }) => call(api, explaining.explain, { signal, query: { ...asked } }),
    enabled: ({ state }) => asked !== undefined && !isGone(state.error),
  })
}

/** Has requests, and what is stale with them, read again when one is made or answered. */
export function useLiveRequests(...stale: QueryKey[]): void {
  useLive({ topic: 'requests' }, requestsKey, ...stale)
  useLive({ topic: 'role-requests' }, requestsKey, ...stale)
}

const listsOfRequests = {
  toAnswer: [...requestsKey, 'to-answer'],
  mine: [...requestsKey, 'mine'],
  ofTenant: [...requestsKey, 'of the tenant'],
  granted: [...requestsKey, 'granted'],
  history: [...requestsKey, 'history'],
} as const

/** Open requests that the person may answer: of one space, or of all. */
export function useRequestsToAnswer(spaceId?: string, enabled = true) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...listsOfRequests.toAnswer, spaceId ?? 'all'],
    enabled,
    queryFn: ({ signal }) =>
      call(api, accessRequests.listRequests, {
        signal,
        query: { filters: spaceId === undefined ? {} : { spaceId }, page: { skip: 0, limit: 100 } },
      }),
  })
}

/** Open requests for roles of the tenant, for who manages roles. */
export function useRoleRequestsToAnswer(enabled = true) {
  const { api } = usePortal()
  return useQuery({
    queryKey: listsOfRequests.ofTenant,
    enabled,
    queryFn: ({ signal }) =>
      call(api, roleRequests.listRoleRequests, { signal, query: { page: { skip: 0, limit: 100 } } }),
  })
}

export const roleGrantsPerPage = 50

/** Roles of the tenant that were given on request. */
export function useRoleGrants(skip: number) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...listsOfRequests.granted, skip],
    queryFn: ({ signal }) =>
      call(api, roleRequests.listRoleGrants, { signal, query: { page: { skip, limit: roleGrantsPerPage } } }),
  })
}

export function useEndRoleGrant() {
  const { api } = usePortal()
  return useRequestChange((id: string) => call(api, roleRequests.endRoleGrant, { params: { id } }))
}

const roleHistoryPerPage = 20

/** Lines of who asked for which role of the tenant, and who gave it. */
export function useRoleHistory() {
  const { api } = usePortal()
  return useQuery({
    queryKey: listsOfRequests.history,
    queryFn: ({ signal }) =>
      call(api, roleRequests.roleHistory, { signal, query: { page: { skip: 0, limit: roleHistoryPerPage } } }),
  })
}

/** The person's own access requests, newest first. */
export function useMyRequests(enabled = true) {
  const { api } = usePortal()
  return useQuery({
    queryKey: listsOfRequests.mine,
    enabled,
    queryFn: ({ signal }) =>
      call(api, accessRequests.listMyRequests, { signal, query: { page: { skip: 0, limit: 50 } } }),
  })
}

const recentMs = 7 * 86_400_000

/** An own request stays in sight while it is open, and for a week after its answer. */
export function isRecent(answeredAt: string | null): boolean {
  return answeredAt === null || Date.now() - Date.parse(answeredAt) < recentMs
}
