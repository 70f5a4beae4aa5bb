import { useMutation } from '@tanstack/react-query'
import { useAddEntry, useAddGroup } from '../../api/sidebar.ts'
import { entryOf, type PinForm, titleToMake } from './form.ts'

/** Makes the group when it is a new one, then the entry. A group that was made is told, so that it is made once. */
export function useSaveEntry(onGroupMade: (id: string) => void) {
  const addGroup = useAddGroup()
  const addEntry = useAddEntry()
  return useMutation({
    async mutationFn(form: PinForm) {
      const title = titleToMake(form)
      let gid = form.groupId ?? ''
      if (title !== undefined) {
        gid = (await addGroup.mutateAsync(title)).id
        onGroupMade(gid)
      }
      return addEntry.mutateAsync({ gid, entry: entryOf(form, gid) })
    },
  })
}
