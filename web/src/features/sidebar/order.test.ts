import { expect, it } from 'vitest'
import { movedTo } from './order.ts'

const ids = ['a', 'b', 'c']

it.each([
  ['a', 2, ['b', 'c', 'a']],
  ['c', 0, ['c', 'a', 'b']],
  ['a', 1, ['b', 'a', 'c']],
  ['b', 9, ['a', 'c', 'b']],
  ['b', -1, ['b', 'a', 'c']],
])('%s to %i', (id, place, moved) => expect(movedTo(ids, id, place)).toEqual(moved))

it('leaves alone what stays or is not there', () => {
  expect(movedTo(ids, 'b', 1)).toBe(ids)
  expect(movedTo(ids, 'x', 1)).toBe(ids)
})
