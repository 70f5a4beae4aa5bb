import { Tabs } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import '../theme/mantine.css'

/** Width of the neighbouring tab that stays in sight, to show that the row goes on, in px. */
const neighbourPx = 32

interface Edges {
  left: number
  right: number
}

/** How far a row has to be scrolled, to the right when positive, until it shows one of its tabs; 0 when it does. */
export function scrollToShow(row: Edges, tab: Edges): number {
  const [before, after] = [tab.left - neighbourPx - row.left, tab.right + neighbourPx - row.right]
  if (before < 0) return before
  // A tab that is wider than the row shows its beginning.
  return after > 0 ? Math.min(after, before) : 0
}

interface Props {
  /** The tab that is open. */
  value: string | undefined
  label?: string
  children: ReactNode
}

/** A row of tabs. A narrow window shows a part of it, which always has the tab that is open; only the row scrolls. */
export function TabList({ value, label, children }: Props) {
  const row = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another element to show.
  useEffect(() => {
    const list = row.current
    if (list === null) return
    const show = () => {
      const tab = list.querySelector('[aria-selected=true]')
      if (tab === null) return
      const by = scrollToShow(list.getBoundingClientRect(), tab.getBoundingClientRect())
      if (by !== 0) list.scrollBy({ left: by, behavior: 'instant' })
    }
    show()
    // The size changes with the window, and when the face of the letters arrives.
    const sizes = new ResizeObserver(show)
    for (const each of [list, ...list.children]) sizes.observe(each)
    return () => sizes.disconnect()
  }, [value])
  return (
    <Tabs.List ref={row} mb="lg" aria-label={label}>
      {children}
    </Tabs.List>
  )
}
