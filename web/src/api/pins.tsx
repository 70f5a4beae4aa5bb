import type { MenuEntry, MenuGroup, PinnedKind } from '@quayside/contract/sidebar/endpoints'
import IconPin from '@tabler/icons-react/dist/esm/icons/IconPin.mjs'
import IconPinFilled from '@tabler/icons-react/dist/esm/icons/IconPinFilled.mjs'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { useConfirm } from '../ui/actions/confirm.tsx'
import type { MenuEntry as RowEntry } from '../ui/actions/row-menu.tsx'
import { useTellFailure } from '../ui/actions/tell-failure.ts'
import { useDeleteEntries, useSidebar } from './sidebar.ts'

/** Something that a page offers for pinning. */
export interface Pinnable {
  kind: PinnedKind
  id: string
  name: string
}

/** A request to open the dialog of the custom sidebar; features/sidebar has the dialog and the shell renders it. */
type PinRequest =
  | { ask: 'entry'; item?: Pinnable; groupId?: string }
  | { ask: 'title'; group: Pick<MenuGroup, 'id' | 'title'> }

interface Pins {
  request: PinRequest | undefined
  open(request: PinRequest): void
  close(): void
}

const PinsContext = createContext<Pins | undefined>(undefined)

export function usePins(): Pins {
  const pins = useContext(PinsContext)
  if (pins === undefined) throw new Error('usePins needs a PinsProvider above it')
  return pins
}

export function PinsProvider({ children }: { children: ReactNode }) {
  const [request, open] = useState<PinRequest>()
  const pins = useMemo<Pins>(() => ({ request, open, close: () => open(undefined) }), [request])
  return <PinsContext value={pins}>{children}</PinsContext>
}

/** Opens the dialog of the custom sidebar for an item, or takes its pins away again. */
function usePinning() {
  const { open } = usePins()
  const groups = useSidebar().data
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
  const remove = useDeleteEntries()
  const confirm = useConfirm()
  const tell = useTellFailure()
  return async (name: string, pins: readonly MenuEntry[]) => {
    const message = (
      <>
        Take <bdi>{name}</bdi> out of the side bar? What it points at stays as it is.
      </>
    )
    if (!(await confirm({ title: 'Remove pin', danger: true, message }))) return
    await remove.mutateAsync(pins).catch(tell('The pin was not removed'))
  }
}

/** The pin of one item, as `ui/actions/pin-button.tsx` draws it. */
export function usePin(item: Pinnable) {
  return usePinning()(item)
}

/** The line of a row's menu that pins the row, or takes its pin away. */
export function usePinRow(kind: PinnedKind): (item: Omit<Pinnable, 'kind'>) => RowEntry {
  const pinning = usePinning()
  return ({ id, name }) => {
    const { isPinned, label, act } = pinning({ kind, id, name })
    return { label, icon: isPinned ? IconPinFilled : IconPin, onSelect: act }
  }
}
