import type { MenuEntry, PinnedKind } from '@quayside/contract/menu'
import IconPin from '@tabler/icons-react/dist/esm/icons/IconPin.mjs'
import IconPinFilled from '@tabler/icons-react/dist/esm/icons/IconPinFilled.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { menuKey, type Pinnable, useMenu, usePins } from '../lib/pins.tsx'
import { usePortal } from '../lib/portal.tsx'
import { IconButton } from './button.tsx'
import { useConfirm } from './confirm.tsx'
import type { MenuEntry as RowEntry } from './row-menu.tsx'

/** Opens the dialog of the custom sidebar for an item, or takes its pins away again. */
function usePinning() {
  const { open } = usePins()
  const groups = useMenu().data
  const unpin = useUnpin()
  return (item: Pinnable) => {
    const pins = (groups ?? []).flatMap(({ entries }) =>
      entries.filter(({ type, selectedEntryId }) => type === item.kind && selectedEntryId === item.id),
    )
    return pins.length > 0
      ? { isPinned: true, label: 'Unpin from the side bar', act: () => void unpin(item.name, pins) }
      : { isPinned: false, label: 'Pin to the side bar', act: () => open({ ask: 'entry', item }) }
  }
}

/** Asks, then takes these entries out; says why when the server will not. */
export function useUnpin() {
  const { api } = usePortal()
  const queries = useQueryClient()
  const confirm = useConfirm()
  return async (name: string, pins: readonly MenuEntry[]) => {
    const message = (
      <>
        Take <bdi>{name}</bdi> out of the side bar? What it points at stays as it is.
      </>
    )
    if (!(await confirm({ title: 'Remove pin', danger: true, message }))) return
    try {
      for (const { groupId, id } of pins) await api.delete(`/portal-api/v0/menu/groups/${groupId}/entries/${id}`)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      await confirm({ type: 'alert', title: 'The pin was not removed', message: reason })
    } finally {
      await queries.invalidateQueries({ queryKey: menuKey })
    }
  }
}

/** The line of a row's menu that pins the row, or takes its pin away. */
export function usePinRow(kind: PinnedKind): (item: Omit<Pinnable, 'kind'>) => RowEntry {
  const pinning = usePinning()
  return ({ id, name }) => {
    const { isPinned, label, act } = pinning({ kind, id, name })
    return { label, icon: isPinned ? IconPinFilled : IconPin, onSelect: act }
  }
}

/** The pin at the head of a page. */
export function PinButton(item: Pinnable) {
  const { isPinned, label, act } = usePinning()(item)
  return <IconButton icon={isPinned ? IconPinFilled : IconPin} label={label} onClick={act} />
}
