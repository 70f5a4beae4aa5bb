import type { AppOverview } from '@quayside/contract/cluster'
import { useMemo } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { stateLookOf } from '../../../ui/state-look.ts'
import styles from './object-tree.module.css'
import { layOut, type PlacedNode } from './tree-layout.ts'

const box = { width: 208, height: 44, across: 264, down: 56, edge: 16 }

const xOf = ({ column }: PlacedNode) => box.edge + column * box.across
const yOf = ({ row }: PlacedNode) => box.edge + row * box.down

/** Release, objects and pods from start to end, each with its state; mirrored in right-to-left. */
export function ObjectTree({ objects }: { objects: AppOverview['objects'] }) {
  const { nodes, links, columns, rows } = useMemo(() => layOut(objects), [objects])
  if (nodes.length === 0) return <EmptyState title="Nothing of this app is in the cluster" />
  const width = box.edge * 2 + (columns - 1) * box.across + box.width
  const height = box.edge * 2 + (rows - 1) * box.down + box.height
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={styles.scroll} tabIndex={0} aria-label="Objects of the release">
      <div className={styles.canvas} style={{ inlineSize: width, blockSize: height }}>
        <svg className={styles.links} width={width} height={height} aria-hidden="true">
          {links.map(({ from, to }) => {
            const [x1, y1, x2, y2] = [
              xOf(from) + box.width,
              yOf(from) + box.height / 2,
              xOf(to),
              yOf(to) + box.height / 2,
            ]
            const middle = (x1 + x2) / 2
            return (
              <path
                key={`${from.object.id} ${to.object.id}`}
                d={`M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`}
              />
            )
          })}
        </svg>
        <ul className={styles.nodes}>
          {nodes.map((node) => (
            <Node key={node.object.id} node={node} />
          ))}
        </ul>
      </div>
    </section>
  )
}

function Node({ node }: { node: PlacedNode }) {
  const { kind, name, state, detail } = node.object
  const { look, word } = stateLookOf(state)
  return (
    <li
      className={classNames(styles.node, styles[look])}
      style={{ insetInlineStart: xOf(node), insetBlockStart: yOf(node), inlineSize: box.width, blockSize: box.height }}
      title={`${kind} ${name}: ${detail}`}
    >
      <bdi className={styles.name}>{name}</bdi>
      <span className={styles.detail}>
        {kind} · <bdi>{detail === '' ? word : detail}</bdi>
        <span className="unseen"> ({word})</span>
      </span>
    </li>
  )
}
