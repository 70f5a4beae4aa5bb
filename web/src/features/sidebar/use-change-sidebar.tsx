import type { MenuGroup } from '@quayside/contract/sidebar/endpoints'
import { useQueryClient } from '@tanstack/react-query'
import { deleteGroup, orderEntries, sidebarKey } from '../../api/sidebar.ts'
import { usePortal } from '../../lib/portal.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { texts } from './texts.ts'

const t = texts.ours

/** Deletes groups and puts entries in order; what the server will not do is said and taken back on the screen. */
export function useChangeSidebar() {
  const { api } = usePortal()
  const queries = useQueryClient()
  const confirm = useConfirm()

  async function attempt(change: () => Promise<unknown>, failed: string) {
    try {
      await change()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      await confirm({ type: 'alert', title: failed, message })
    } finally {
      await queries.invalidateQueries({ queryKey: sidebarKey })
    }
  }

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
      await attempt(() => deleteGroup(api, id), t.deleteFailed)
    },

    /** Shown at once, kept by the server. */
    async order(group: MenuGroup, ids: readonly string[]) {
      await queries.cancelQueries({ queryKey: sidebarKey })
      queries.setQueryData<MenuGroup[]>(sidebarKey, (groups) =>
        groups?.map((one) => (one.id === group.id ? inOrder(one, ids) : one)),
      )
      await attempt(() => orderEntries(api, group.id, ids), t.moveFailed)
    },
  }
}

function inOrder(group: MenuGroup, ids: readonly string[]): MenuGroup {
  return { ...group, entries: ids.flatMap((id) => group.entries.find((entry) => entry.id === id) ?? []) }
}
