import { gridColumns } from '@quayside/contract/dashboards/rules'
import IconArrowsMove from '@tabler/icons-react/dist/esm/icons/IconArrowsMove.mjs'
import IconSettings from '@tabler/icons-react/dist/esm/icons/IconSettings.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { IconButton } from '../../../ui/actions/button.tsx'
import styles from '../dashboard.module.css'
import { type Item, placed } from './grid.ts'

interface Props {
  name: string
  item: Item
  onPlace: (place: (items: readonly Item[], item: Item) => Item[]) => void
  onSettings: () => void
  onRemove: () => void
}
type Step = Partial<Record<'x' | 'y' | 'width' | 'height', number>>

const rowPixels = 32
const arrows: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Buttons of a panel that is being edited. It is moved by its handle and sized by its corner, or by arrow keys. */
export function PanelTools({ name, item, onPlace, onSettings, onRemove }: Props) {
  const by = (step: Step) =>
    onPlace((items, now) =>
      placed(items, {
        ...now,
        x: now.x + (step.x ?? 0),
        y: now.y + (step.y ?? 0),
        width: now.width + (step.width ?? 0),
        height: now.height + (step.height ?? 0),
      }),
    )
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = arrows[event.key]
    if (arrow === undefined) return
    event.preventDefault()
    const [dx, dy] = [arrow[0] * turn(event.currentTarget), arrow[1]]
    // Over the height of the panel above, a step down would be closed up again.
    if (event.shiftKey) by({ width: dx, height: dy })
    else by({ x: dx, y: dy === 0 ? 0 : dy * item.height })
  }
  const move = useDrag((dx, dy) => by({ x: dx, y: dy }))
  const size = useDrag((dx, dy) => by({ width: dx, height: dy }))
  return (
    <>
      <IconButton
        icon={IconArrowsMove}
        size={16}
        label={`Move ${name}: arrow keys, with Shift to resize`}
        className={styles.move}
        onKeyDown={onKeyDown}
        {...move}
      />
      <IconButton icon={IconSettings} size={16} label={`Settings of ${name}`} onClick={onSettings} />
      <IconButton icon={IconTrash} size={16} label={`Remove ${name}`} onClick={onRemove} />
      <span className={styles.corner} aria-hidden="true" {...size} />
    </>
  )
}

/** In a layout from right to left, columns are counted from the other side. */
const turn = (element: Element): 1 | -1 => (getComputedStyle(element).direction === 'rtl' ? -1 : 1)

/** Tells the columns and rows that something was dragged by, when it is let go. */
function useDrag(onEnd: (columns: number, rows: number) => void) {
  const start = useRef<{ x: number; y: number }>(undefined)
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      start.current = { x: event.clientX, y: event.clientY }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const from = start.current
      start.current = undefined
      const grid = event.currentTarget.closest(`.${styles.grid}`)
      if (from === undefined || grid === null) return
      const column = grid.clientWidth / gridColumns
      const columns = Math.round((event.clientX - from.x) / column) * turn(grid)
      const rows = Math.round((event.clientY - from.y) / rowPixels)
      if (columns !== 0 || rows !== 0) onEnd(columns, rows)
    },
    onPointerCancel: () => {
      start.current = undefined
    },
  }
}
