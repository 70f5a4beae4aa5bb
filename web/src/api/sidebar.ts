import { type MenuEntry, type MenuEntryInput, type MenuGroup, sidebar } from '@quayside/contract/sidebar/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { call } from './client.ts'
import { useLive } from './live.ts'

/** The person's own side bar. */
export const sidebarKey = ['menu'] as const

/** The groups of the person's own side bar, with their entries. */
export function useSidebar() {
  const { api } = usePortal()
  return useQuery({
    queryKey: sidebarKey,
    queryFn: async ({ signal }): Promise<MenuGroup[]> => (await call(api, sidebar.getMenu, { signal })).data,
  })
}

/** Has the side bar read again when another window of the person changes it. */
export function useLiveSidebar(): void {
  useLive({ topic: 'menu', id: usePortal().me().userId }, sidebarKey)
}

/** Changes the side bar, and has it read again, also when the server refuses. */
function useSidebarChange<Input, Reply>(run: (api: Api, input: Input) => Promise<Reply>) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => run(api, input),
    onSettled: () => queries.invalidateQueries({ queryKey: sidebarKey }),
  })
}

export const useAddGroup = () =>
  useSidebarChange((api, title: string) => call(api, sidebar.addMenuGroup, { body: { title } }))

export const useRenameGroup = (gid: string) =>
  useSidebarChange((api, title: string) => call(api, sidebar.renameMenuGroup, { params: { gid }, body: { title } }))

export const useDeleteGroup = () =>
  useSidebarChange((api, gid: string) => call(api, sidebar.deleteMenuGroup, { params: { gid } }))

type NewEntry = z.input<typeof MenuEntryInput>

export const useAddEntry = () =>
  useSidebarChange((api, { gid, entry }: { gid: string; entry: NewEntry }) =>
    call(api, sidebar.addMenuEntry, { params: { gid }, body: entry }),
  )

/** Takes entries out, one after another. */
export const useDeleteEntries = () =>
  useSidebarChange(async (api, entries: readonly Pick<MenuEntry, 'groupId' | 'id'>[]) => {
    for (const { groupId, id } of entries)
      await call(api, sidebar.deleteMenuEntry, { params: { gid: groupId, eid: id } })
  })

/** Puts the entries of a group in another order: exactly its entries, each once. The order is shown at once. */
export function useOrderEntries() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ gid, ids }: { gid: string; ids: readonly string[] }) =>
      call(api, sidebar.orderMenuEntries, { params: { gid }, body: { ids: [...ids] } }),
    async onMutate({ gid, ids }) {
      await queries.cancelQueries({ queryKey: sidebarKey })
      queries.setQueryData<MenuGroup[]>(sidebarKey, (groups) =>
        groups?.map((one) => (one.id === gid ? inOrder(one, ids) : one)),
      )
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sidebarKey }),
  })
}

function inOrder(group: MenuGroup, ids: readonly string[]): MenuGroup {
  return { ...group, entries: ids.flatMap((id) => group.entries.find((entry) => entry.id === id) ?? []) }
}
