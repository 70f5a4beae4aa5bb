import type { MenuEntry, MenuGroup } from '@quayside/contract/menu'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { menuKey } from '../../lib/pins.tsx'
import { usePortal } from '../../lib/portal.tsx'
import { entryOf, type MenuForm, titleToMake } from './form.ts'

const groupsPath = '/portal-api/v0/menu/groups'

/** Makes the group when it is a new one, then the entry. A group that was made is told, so that it is made once. */
export function useSaveEntry(onGroupMade: (id: string) => void) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    async mutationFn(form: MenuForm) {
      const title = titleToMake(form)
      let groupId = form.groupId ?? ''
      if (title !== undefined) {
        groupId = (await api.post<MenuGroup>(groupsPath, { title })).id
        onGroupMade(groupId)
      }
      return api.post<MenuEntry>(`${groupsPath}/${groupId}/entries/`, entryOf(form, groupId))
    },
    onSettled: () => queries.invalidateQueries({ queryKey: menuKey }),
  })
}

export function useRenameGroup(id: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (title: string) => api.put<MenuGroup>(`${groupsPath}/${id}`, { title }),
    onSettled: () => queries.invalidateQueries({ queryKey: menuKey }),
  })
}
