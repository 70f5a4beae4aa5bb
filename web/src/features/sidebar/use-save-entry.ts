import { useMutation, useQueryClient } from '@tanstack/react-query'
import { addEntry, addGroup, renameGroup, sidebarKey } from '../../api/sidebar.ts'
import { usePortal } from '../../lib/portal.tsx'
import { entryOf, type PinForm, titleToMake } from './form.ts'

/** Makes the group when it is a new one, then the entry. A group that was made is told, so that it is made once. */
export function useSaveEntry(onGroupMade: (id: string) => void) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    async mutationFn(form: PinForm) {
      const title = titleToMake(form)
      let groupId = form.groupId ?? ''
      if (title !== undefined) {
        groupId = (await addGroup(api, title)).id
        onGroupMade(groupId)
      }
      return addEntry(api, groupId, entryOf(form, groupId))
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sidebarKey }),
  })
}

export function useRenameGroup(id: string) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (title: string) => renameGroup(api, id, title),
    onSettled: () => queries.invalidateQueries({ queryKey: sidebarKey }),
  })
}
