import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

/** Above this many rows only those near the screen are drawn. */
export const virtualFrom = 200

const estimatedRow = 46

interface Props<T> {
  rows: readonly T[]
  draw: (row: T) => ReactNode
  columns: number
}

/** The rows near the screen between two spacers, so that the scroll bar tells the truth. */
export function VirtualRows<T>({ rows, draw, columns }: Props<T>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    setTop((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY)
  }, [])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => estimatedRow,
    overscan: 12,
    scrollMargin: top,
  })
  const visible = virtual.getVirtualItems()
  const before = (visible[0]?.start ?? top) - top
  const after = virtual.getTotalSize() - ((visible.at(-1)?.end ?? top) - top)
  return (
    <tbody ref={body}>
      <Spacer height={before} columns={columns} />
      {visible.map(({ index }) => {
        const row = rows[index]
        return row === undefined ? null : draw(row)
      })}
      <Spacer height={after} columns={columns} />
    </tbody>
  )
}

function Spacer({ height, columns }: { height: number; columns: number }) {
  if (height <= 0) return null
  return (
    <tr>
      <td aria-hidden="true" colSpan={columns} style={{ blockSize: height, padding: 0, border: 0 }} />
    </tr>
  )
}
