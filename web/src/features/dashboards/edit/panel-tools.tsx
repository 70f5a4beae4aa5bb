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
  onPlace: (place: Place) => void
  /** Shows where a panel that is dragged would lie; undefined when it is let go. */
  onDrag: (place: Place | undefined) => void
  onSettings: () => void
  onRemove: () => void
}
/** Places an item among the others. */
export type Place = (items: readonly Item[], item: Item) => Item[]
type Step = Partial<Record<'x' | 'y' | 'width' | 'height', number>>

const rowPixels = 32
const arrows: Readonly<Record<string, readonly [dx: number, dy: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Buttons of a panel that is being edited. It is moved by its handle and sized by its corner, or by arrow keys. */
export function PanelTools({ name, item, onPlace, onDrag, onSettings, onRemove }: Props) {
  const by = (step: Step) => onPlace(placedBy(step))
  const drag = (step: Step, isEnd: boolean) => {
    onDrag(isEnd ? undefined : placedBy(step))
    if (isEnd && Object.values(step).some((count) => count !== 0)) by(step)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = arrows[event.key]
    if (arrow === undefined) return
    event.preventDefault()
    const [dx, dy] = [arrow[0] * turn(event.currentTarget), arrow[1]]
    // Over the height of the panel above, a step down would be closed up again.
    if (event.shiftKey) by({ width: dx, height: dy })
    else by({ x: dx, y: dy === 0 ? 0 : dy * item.height })
  }
  const move = useDrag((dx, dy, isEnd) => drag({ x: dx, y: dy }, isEnd))
  const size = useDrag((dx, dy, isEnd) => drag({ width: dx, height: dy }, isEnd))
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

const placedBy =
  ({ x = 0, y = 0, width = 0, height = 0 }: Step): Place =>
  (items, now) =>
    placed(items, { ...now, x: now.x + x, y: now.y + y, width: now.width + width, height: now.height + height })

/** In a layout from right to left, columns are counted from the other side. */
const turn = (element: Element): 1 | -1 => (getComputedStyle(element).direction === 'rtl' ? -1 : 1)

/** Tells the columns and rows that something is dragged by, while it is and when it is let go. */
function useDrag(onDrag: (columns: number, rows: number, isEnd: boolean) => void) {
  const start = useRef<{ x: number; y: number }>(undefined)
  const giveUp = () => {
    if (start.current === undefined) return
    start.current = undefined
    onDrag(0, 0, true)
  }
  const drag = (event: PointerEvent<HTMLElement>, isEnd: boolean) => {
    const from = start.current
    const grid = event.currentTarget.closest(`.${styles.grid}`)
    if (from === undefined || grid === null) return
    const column = grid.clientWidth / gridColumns
    const columns = Math.round((event.clientX - from.x) / column) * turn(grid)
    onDrag(columns, Math.round((event.clientY - from.y) / rowPixels), isEnd)
  }
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      start.current = { x: event.clientX, y: event.clientY }
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => drag(event, false),
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      drag(event, true)
      start.current = undefined
    },
    onPointerCancel: giveUp,
    // After the end of a drag this says nothing new.
    onLostPointerCapture: giveUp,
  }
}
