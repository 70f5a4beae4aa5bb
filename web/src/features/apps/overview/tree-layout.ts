import type { TreeObject } from './overview-objects.ts'

export interface PlacedNode {
  object: TreeObject
  /** Column and row, from 0; rows may be halves where a parent stands beside the middle of its children. */
  column: number
  row: number
}

interface Placed {
  nodes: PlacedNode[]
  links: { from: PlacedNode; to: PlacedNode }[]
  columns: number
  rows: number
}

/** Places a tree from its root at the start to its leaves at the end, each parent beside the middle of its children. */
export function layOut(objects: readonly TreeObject[]): Placed {
  const known = new Set(objects.map(({ id }) => id))
  const childrenOf = new Map<string | null, TreeObject[]>()
  for (const object of objects) {
    const parent = object.parent !== null && known.has(object.parent) ? object.parent : null
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), object])
  }
  const placed: Placed = { nodes: [], links: [], columns: 0, rows: 0 }
  const seen = new Set<string>()
  const place = (object: TreeObject, column: number): PlacedNode | undefined => {
    if (seen.has(object.id)) return undefined
    seen.add(object.id)
    placed.columns = Math.max(placed.columns, column + 1)
    const children = (childrenOf.get(object.id) ?? []).flatMap((child) => place(child, column + 1) ?? [])
    const first = children[0]
    const last = children.at(-1)
    const node: PlacedNode = { object, column, row: first && last ? (first.row + last.row) / 2 : placed.rows++ }
    placed.nodes.push(node)
    for (const child of children) placed.links.push({ from: node, to: child })
    return node
  }
  for (const root of childrenOf.get(null) ?? []) place(root, 0)
  return placed
}
