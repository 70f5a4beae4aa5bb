import { describe, expect, it } from 'vitest'
import { layOut } from './tree-layout.ts'

const object = (id: string, parent: string | null) => ({
  id,
  parent,
  kind: 'K',
  name: id,
  namespace: 'n',
  state: 'healthy' as const,
  detail: '',
})

describe('the drawn tree', () => {
  it('puts every object in its column and a parent beside the middle of its children', () => {
    const { nodes, links, columns, rows } = layOut([
      object('release', null),
      object('a', 'release'),
      object('b', 'release'),
      object('b1', 'b'),
      object('b2', 'b'),
    ])
    const at = Object.fromEntries(nodes.map((node) => [node.object.id, [node.column, node.row]]))
    expect(at).toEqual({ release: [0, 0.75], a: [1, 0], b: [1, 1.5], b1: [2, 1], b2: [2, 2] })
    expect([columns, rows, links.length]).toEqual([3, 3, 4])
  })

  it('draws each object once, whatever the parents say', () => {
    const { nodes } = layOut([object('x', 'gone'), object('y', 'x'), object('y', 'x')])
    expect(nodes.map((node) => node.object.id).sort()).toEqual(['x', 'y'])
    expect(layOut([object('p', 'q'), object('q', 'p')]).nodes).toEqual([])
  })
})
