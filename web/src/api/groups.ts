import { groups } from '@quayside/contract/groups/endpoints'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { call } from './client.ts'

/** The tree of groups. */
export function useGroups() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['groups'],
    queryFn: async ({ signal }) => (await call(api, groups.listGroups, { signal })).data,
  })
}

/** The direct members of a group; makes no request without an id. */
export function useGroupMembers(id: string | undefined) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['groups', 'members', id],
    enabled: id !== undefined,
    queryFn: async ({ signal }) => (await call(api, groups.groupMembers, { params: { id: id ?? '' }, signal })).data,
  })
}

/** How many people a grant to these groups reaches; who is in several counts once. */
export const peopleQuery = (api: Api, groupIds: readonly string[]) =>
  queryOptions({
    queryKey: ['groups', 'people', ...groupIds.toSorted()],
    queryFn: async () => (await call(api, groups.countMembers, { body: { ids: [...groupIds] } })).people,
    enabled: groupIds.length > 0,
  })
