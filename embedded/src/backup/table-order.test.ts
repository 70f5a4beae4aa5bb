import { expect, it } from 'vitest'
import { inOrder } from './table-order.ts'

const table = (name: string, ...refersTo: string[]) => ({ name, refersTo })

it('each table comes after those that it refers to', () => {
  const tables = [
    table('apps', 'spaces', 'items'),
    table('spaces', 'tenants'),
    table('items', 'tenants'),
    table('tenants'),
  ]
  expect(inOrder(tables).map(({ name }) => name)).toEqual(['tenants', 'spaces', 'items', 'apps'])
})

it('a table that is not among them is no hindrance, a circle is one', () => {
  expect(inOrder([table('apps', 'elsewhere')])).toHaveLength(1)
  expect(() => inOrder([table('a', 'b'), table('b', 'a'), table('c')])).toThrow(/a, b$/)
})
