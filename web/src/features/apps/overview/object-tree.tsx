import { useMemo } from 'react'
import { useWidth } from '../../../ui/layout/use-width.ts'
import { classNames } from '../../../ui/marks/class-names.ts'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { stateLookOf } from '../../../ui/states/state-look.ts'
import { iconOf } from './kind-icon.ts'
import styles from './object-tree.module.css'
import type { TreeObject } from './overview-objects.ts'
import { layOut, type PlacedNode } from './tree-layout.ts'

const box = { narrow: 156, wide: 280, height: 44, gap: 28, widestGap: 72, down: 54, edge: 14 }

/** Boxes and gaps share the width there is; below their least size the tree scrolls. */
function sizesFor(width: number, columns: number) {
  const room = width - box.edge * 2
  const gaps = Math.max(1, columns - 1)
  const boxWidth = Math.min(box.wide, Math.max(box.narrow, Math.floor((room - gaps * box.gap) / columns)))
  const gap = Math.min(box.widestGap, Math.max(box.gap, Math.floor((room - columns * boxWidth) / gaps)))
  return { boxWidth, across: boxWidth + gap }
}

/** Release, objects and pods from start to end, each with its state; mirrored in right-to-left. */
export function ObjectTree({ objects }: { objects: readonly TreeObject[] }) {
  const [ref, room] = useWidth<HTMLElement>()
  const { nodes, links, columns, rows } = useMemo(() => layOut(objects), [objects])
  if (nodes.length === 0) return <EmptyState title="Nothing of this app is in the cluster" />
  const { boxWidth, across } = sizesFor(room, columns)
  const width = box.edge * 2 + (columns - 1) * across + boxWidth
  const height = box.edge * 2 + (rows - 1) * box.down + box.height
  const xOf = ({ column }: PlacedNode) => box.edge + column * across
  const yOf = ({ row }: PlacedNode) => box.edge + row * box.down
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section ref={ref} className={styles.scroll} tabIndex={0} aria-label="Objects of the release">
      <div className={styles.canvas} style={{ inlineSize: width, blockSize: height }}>
        <svg className={styles.links} width={width} height={height} aria-hidden="true">
          {links.map(({ from, to }) => (
            <path
              key={`${from.object.id} ${to.object.id}`}
              d={curve(xOf(from) + boxWidth, yOf(from) + box.height / 2, xOf(to), yOf(to) + box.height / 2)}
            />
          ))}
        </svg>
        <ul className={styles.nodes}>
          {nodes.map((node) => (
            <Node
              key={node.object.id}
              object={node.object}
              style={{
                insetInlineStart: xOf(node),
                insetBlockStart: yOf(node),
                inlineSize: boxWidth,
                blockSize: box.height,
              }}
            />
          ))}
        </ul>
      </div>
    </section>
  )
}

function curve(x1: number, y1: number, x2: number, y2: number): string {
  const middle = (x1 + x2) / 2
  return `M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`
}

function Node({ object, style }: { object: TreeObject; style: React.CSSProperties }) {
  const { kind, name, state, detail } = object
  const { look, word } = stateLookOf(state)
  const KindIcon = iconOf(kind)
  return (
    <li
      className={classNames(styles.node, styles[look])}
      style={style}
      title={[`${kind} ${name}`, word, detail].filter((part) => part !== '').join('\n')}
    >
      <KindIcon size={17} stroke={1.5} aria-hidden className={styles.icon} />
      <span className={styles.words}>
        <ShortName name={name} />
        <span className={styles.detail}>
          <bdi>
            {kind} · {detail === '' ? word : detail}
            <span className="unseen"> ({word})</span>
          </bdi>
        </span>
      </span>
    </li>
  )
}

const tailLength = 8

/** Names of a release begin alike, so a long one loses its middle rather than its end. */
function ShortName({ name }: { name: string }) {
  const cut = Math.max(0, name.length - tailLength)
  return (
    <bdi className={styles.name} dir="ltr">
      <span className={styles.start}>{name.slice(0, cut)}</span>
      <span>{name.slice(cut)}</span>
    </bdi>
  )
}
