import { type MenuEntryInput, type MenuGroup, sidebar } from '@quayside/contract/sidebar/endpoints'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Api } from '../lib/api/api.ts'
import { useLive, usePortal } from '../lib/portal.tsx'
import { call } from './client.ts'

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

export const addGroup = (api: Api, title: string) => call(api, sidebar.addMenuGroup, { body: { title } })

export const renameGroup = (api: Api, gid: string, title: string) =>
  call(api, sidebar.renameMenuGroup, { params: { gid }, body: { title } })

export const deleteGroup = (api: Api, gid: string) => call(api, sidebar.deleteMenuGroup, { params: { gid } })

export const addEntry = (api: Api, gid: string, body: z.input<typeof MenuEntryInput>) =>
  call(api, sidebar.addMenuEntry, { params: { gid }, body })

/** Puts the entries of a group in another order: exactly its entries, each once. */
export const orderEntries = (api: Api, gid: string, ids: readonly string[]) =>
  call(api, sidebar.orderMenuEntries, { params: { gid }, body: { ids: [...ids] } })

export const deleteEntry = (api: Api, gid: string, eid: string) =>
  call(api, sidebar.deleteMenuEntry, { params: { gid, eid } })
