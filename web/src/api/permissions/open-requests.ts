import { accessRequests } from '@quayside/contract/permissions/access-requests'
import { roleRequests } from '@quayside/contract/permissions/role-requests'
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'
import { useLive } from '../live.ts'

export const explainKey = ['explain'] as const
export const requestsKey = ['requests'] as const

/** Has requests, and what is stale with them, read again when one is made or answered. */
export function useLiveRequests(...stale: QueryKey[]): void {
  useLive({ topic: 'requests' }, requestsKey, ...stale)
  useLive({ topic: 'role-requests' }, requestsKey, ...stale)
}

export const requestLists = {
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
    queryKey: [...requestLists.toAnswer, spaceId ?? 'all'],
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
    queryKey: requestLists.ofTenant,
    enabled,
    queryFn: ({ signal }) =>
      call(api, roleRequests.listRoleRequests, { signal, query: { page: { skip: 0, limit: 100 } } }),
  })
}

/** The person's own access requests, newest first. */
export function useMyRequests(enabled = true) {
  const { api } = usePortal()
  return useQuery({
    queryKey: requestLists.mine,
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
