import type { MenuGroup } from '@quayside/contract/sidebar/endpoints'
import { useDeleteGroup, useOrderEntries } from '../../api/sidebar.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'
import { texts } from './texts.ts'

const t = texts.ours

/** Deletes groups and puts entries in order; what the server will not do is said and taken back on the screen. */
export function useChangeSidebar() {
  const remove = useDeleteGroup()
  const reorder = useOrderEntries()
  const confirm = useConfirm()
  const tell = useTellFailure()

  return {
    async deleteGroup({ id, title, entries }: MenuGroup) {
      const message = (
        <>
          Delete <bdi>{title}</bdi>
          {entries.length > 0 && (
            <>
              {' '}
              and what is pinned in it (<bdi>{entries.length}</bdi>)
            </>
          )}
          ? The things themselves stay as they are.
        </>
      )
      if (!(await confirm({ title: t.deleteGroup, danger: true, message }))) return
      await remove.mutateAsync(id).catch(tell(t.deleteFailed))
    },

    /** Shown at once, kept by the server. */
    async order(group: MenuGroup, ids: readonly string[]) {
      await reorder.mutateAsync({ gid: group.id, ids }).catch(tell(t.moveFailed))
    },
  }
}
