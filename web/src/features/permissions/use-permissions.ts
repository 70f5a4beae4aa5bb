import type { ListReply } from '@quayside/contract/paging'
import type { NamedPrincipal, Permission, PermissionChange, PermissionInput } from '@quayside/contract/permission-entry'
import type { PermissionEvent, SpaceMember } from '@quayside/contract/permissions'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'

// Keys begin with 'spaces': the server tells of them when somebody's rights there are others than before.
const keyOf = (spaceId: string, part: string) => ['spaces', 'one', spaceId, part] as const
const pathOf = (spaceId: string) => `/portal-api/v3/spaces/${encodeURIComponent(spaceId)}`

/** How long after its end an entry is off the list for certain. */
const sweptMs = 3000
const longestPauseMs = 3_600_000

/** When the next entry of a list ends by itself, as a time to wait; false when none does soon. */
export function nextEndMs(list: readonly Pick<Permission, 'expiresAt'>[] | undefined, now: number): number | false {
  const ends = (list ?? []).flatMap(({ expiresAt }) => (expiresAt === null ? [] : [Date.parse(expiresAt) - now]))
  const next = Math.min(...ends)
  return next < longestPauseMs ? Math.max(next, 0) + sweptMs : false
}

/** The permission list of a space; read again when one of its entries has ended. */
export function usePermissions(spaceId: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: keyOf(spaceId, 'permissions'),
    queryFn: async ({ signal }) =>
      (await api.get<{ data: Permission[] }>(`${pathOf(spaceId)}/permissions`, { signal })).data,
    refetchInterval: ({ state }) => nextEndMs(state.data, Date.now()),
  })
}

/** Everybody who may do something in the space; for who may change its list. */
export function useMembers(spaceId: string, enabled: boolean) {
  const { api } = usePortal()
  return useQuery({
    queryKey: keyOf(spaceId, 'members'),
    enabled,
    queryFn: ({ signal }) => api.get<{ data: SpaceMember[]; isCut: boolean }>(`${pathOf(spaceId)}/members`, { signal }),
  })
}

export const eventsPerPage = 50

export function useHistory(spaceId: string, search: string, skip: number) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...keyOf(spaceId, 'history'), search, skip],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.get<ListReply<PermissionEvent>>(`${pathOf(spaceId)}/permissions/history`, {
        signal,
        query: { search, page: { skip, limit: eventsPerPage } },
      }),
  })
}

export const shortestSearch = 2

/** People and groups by name; without a space, for one that is yet to be made. */
export function usePrincipals(spaceId: string | undefined, search: string) {
  const { api } = usePortal()
  const path = spaceId === undefined ? '/portal-api/v3/principals' : `${pathOf(spaceId)}/principals`
  return useQuery({
    queryKey: ['principals', spaceId, search],
    enabled: search.length >= shortestSearch,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await api.get<{ data: NamedPrincipal[] }>(path, { signal, query: { search } })).data,
  })
}

/** After a change the list, the members, the history and what the person may do are read again. */
function useChange<Input, Reply>(run: (input: Input) => Promise<Reply>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['spaces'] }),
        queries.invalidateQueries({ queryKey: ['explain'] }),
      ]),
  })
}

export function useAddPermission(spaceId: string) {
  const { api } = usePortal()
  return useChange((input: PermissionInput) => api.post<Permission>(`${pathOf(spaceId)}/permissions`, input))
}

export function useChangePermission(spaceId: string) {
  const { api } = usePortal()
  return useChange((input: PermissionChange) => api.put<Permission>(`${pathOf(spaceId)}/permissions`, input))
}

export function useRemovePermission(spaceId: string) {
  const { api } = usePortal()
  return useChange((id: string) => api.delete<void>(`${pathOf(spaceId)}/permissions/${encodeURIComponent(id)}`))
}
