import { dashboardPermissions } from '@quayside/contract/dashboards/permission-list'
import { permissions } from '@quayside/contract/permissions/endpoints'
import type { Permission } from '@quayside/contract/permissions/permission-entry'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call, type InputOf } from '../client.ts'
import { spaceKey, spacesKey } from '../spaces.ts'
import { explainKey } from './open-requests.ts'

// Keys begin with 'spaces': the server tells of them when somebody's rights there are others than before.
const keyOf = (spaceId: string, part: string) => [...spaceKey(spaceId), part] as const

/** How long after its end an entry is off the list for certain. */
const sweptMs = 3000
const longestPauseMs = 3_600_000

/** When the next entry of a list ends by itself, as a time to wait; false when none does soon. */
function nextEndMs(list: readonly Pick<Permission, 'expiresAt'>[] | undefined, now: number): number | false {
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
      (await call(api, permissions.listPermissions, { params: { id: spaceId }, signal })).data,
    refetchInterval: ({ state }) => nextEndMs(state.data, Date.now()),
  })
}

/** Everybody who may do something in the space; for who may change its list. */
export function useMembers(spaceId: string, enabled: boolean) {
  const { api } = usePortal()
  return useQuery({
    queryKey: keyOf(spaceId, 'members'),
    enabled,
    queryFn: ({ signal }) => call(api, permissions.listMembers, { params: { id: spaceId }, signal }),
  })
}

export const eventsPerPage = 50

export function useHistory(spaceId: string, search: string, skip: number) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...keyOf(spaceId, 'history'), search, skip],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(api, permissions.permissionHistory, {
        params: { id: spaceId },
        signal,
        query: { search, page: { skip, limit: eventsPerPage } },
      }),
  })
}

export const shortestSearch = 2

/** People and groups by name, for the list of a space or a dashboard; without either, for a space that is yet to be made. */
export function usePrincipals(spaceId: string | undefined, search: string, dashboardId?: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['principals', spaceId, dashboardId, search],
    enabled: search.length >= shortestSearch,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const input = { query: { search }, signal }
      if (dashboardId !== undefined)
        return (
          await call(api, dashboardPermissions.findDashboardPrincipals, { ...input, params: { id: dashboardId } })
        ).data
      const found =
        spaceId === undefined
          ? await call(api, permissions.findFirstMembers, input)
          : await call(api, permissions.findPrincipals, { ...input, params: { id: spaceId } })
      return found.data
    },
  })
}

/** After a change the list, the members, the history and what the person may do are read again. */
function useChange<Input, Reply>(run: (input: Input) => Promise<Reply>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: spacesKey }),
        queries.invalidateQueries({ queryKey: explainKey }),
      ]),
  })
}

type Change = InputOf<typeof permissions.changePermission>['body']

export function useAddPermission(id: string) {
  const { api } = usePortal()
  return useChange((body: InputOf<typeof permissions.addPermission>['body']) =>
    call(api, permissions.addPermission, { params: { id }, body }),
  )
}

export function useChangePermission(id: string) {
  const { api } = usePortal()
  return useChange((body: Change) => call(api, permissions.changePermission, { params: { id }, body }))
}

export function useRemovePermission(id: string) {
  const { api } = usePortal()
  return useChange((pid: string) => call(api, permissions.deletePermission, { params: { id, pid } }))
}
