import { defaultGroups, type Group, groups } from '@quayside/contract/groups/endpoints'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { call, type InputOf } from './client.ts'

/** Every group of a tree by its path, as options of a select. */
export function groupOptions(all: readonly Group[]): { value: string; label: string }[] {
  return all.flatMap(({ id, path, subGroups }) => [{ value: id, label: path }, ...groupOptions(subGroups)])
}

/** The tree of groups. */
export function useGroups() {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['groups'],
    queryFn: async ({ signal }) => (await call(api, groups.listGroups, { signal })).data,
  })
}

/** How many people a grant to these groups reaches; who is in several counts once. */
export const peopleQuery = (api: Api, groupIds: readonly string[]) =>
  queryOptions({
    queryKey: ['groups', 'people', ...groupIds.toSorted()],
    queryFn: async () => (await call(api, groups.countMembers, { body: { ids: [...groupIds] } })).people,
    enabled: groupIds.length > 0,
  })

export function useGroup(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['groups', 'one', id],
    queryFn: ({ signal }) => call(api, groups.getGroup, { params: { id }, signal }),
  })
}

export const membersPerPage = 50

/** A page of the people of a group, searched by the server; makes no request without an id. */
export function useMemberPage(id: string | undefined, search: string, skip: number) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['groups', 'members', id, search, skip],
    enabled: id !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      call(api, groups.findMembers, {
        ...{ params: { id: id ?? '' }, signal },
        query: { search, page: { skip, limit: membersPerPage } },
      }),
  })
}

/** A change of the groups; the tree and all that hangs on it are read again. */
function useGroupChange<T, R>(work: (api: Api, input: T) => Promise<R>) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: T) => work(api, input),
    onSettled: () => queries.invalidateQueries({ queryKey: ['groups'] }),
  })
}

type NewGroup = InputOf<typeof groups.createGroup>['body']
type ChangedGroup = InputOf<typeof groups.updateGroup>['body']

/** @param parent the group below which it is to be; left out: at the top */
export const useCreateGroup = (parent: string | undefined) =>
  useGroupChange((api, body: NewGroup) =>
    parent === undefined
      ? call(api, groups.createGroup, { body })
      : call(api, groups.createSubGroup, { params: { id: parent }, body }),
  )

export const useUpdateGroup = (id: string) =>
  useGroupChange((api, body: ChangedGroup) => call(api, groups.updateGroup, { params: { id }, body }))

export const useDeleteGroup = () =>
  useGroupChange((api, id: string) => call(api, groups.deleteGroup, { params: { id } }))

/** Moves a group below another one, or to the top. */
export const useMoveGroup = () =>
  useGroupChange((api, { id, parent }: { id: string; parent: string | undefined }) =>
    parent === undefined
      ? call(api, groups.moveGroupToTop, { params: { id } })
      : call(api, groups.moveGroup, { params: { id: parent, childId: id } }),
  )

/** The groups that every new user is put into. */
export function useDefaultGroups(isOpen: boolean) {
  const { api, config } = usePortal()
  const { realm } = config.tenant
  return useQuery({
    queryKey: ['groups', 'defaults'],
    enabled: isOpen,
    queryFn: async ({ signal }) =>
      (await call(api, defaultGroups.listDefaultGroups, { params: { realm }, signal })).data,
  })
}

export function useChangeDefaultGroup() {
  const { realm } = usePortal().config.tenant
  return useGroupChange((api, { way, gid }: { way: 'addDefaultGroup' | 'removeDefaultGroup'; gid: string }) =>
    call(api, defaultGroups[way], { params: { realm, gid } }),
  )
}
