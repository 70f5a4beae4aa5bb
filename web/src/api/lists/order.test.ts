import { expect, test } from 'vitest'
import { orderOf } from './order.ts'

test.each([
  ['name', { name: 'ASC' }],
  ['-name', { name: 'DESC' }],
  ['color', undefined],
  ['-color', undefined],
  ['', undefined],
  ['-', undefined],
  [undefined, undefined],
])('a sort of %s is %j for the server', (sort, wanted) => {
  expect(orderOf(sort, ['name', 'createdAt'])).toEqual(wanted)
})
