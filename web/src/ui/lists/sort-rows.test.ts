import { expect, it } from 'vitest'
import { nextSort, parseSort, sortRows } from './sort-rows.ts'

it('goes up, down and back to the given order', () => {
  expect(nextSort(undefined, 'name')).toBe('name')
  expect(nextSort('name', 'name')).toBe('-name')
  expect(nextSort('-name', 'name')).toBeUndefined()
  expect(nextSort('-state', 'name')).toBe('name')
})

it('reads a sort from the address', () => {
  expect(parseSort('-name')).toEqual({ key: 'name', down: true })
  expect(parseSort('name')).toEqual({ key: 'name', down: false })
  expect(parseSort('')).toBeUndefined()
})

it('sorts numbers inside words by value and keeps missing values last both ways', () => {
  const rows = ['app-10', null, 'app-2', 'App-1']
  expect(sortRows(rows, (row) => row, false)).toEqual(['App-1', 'app-2', 'app-10', null])
  expect(sortRows(rows, (row) => row, true)).toEqual(['app-10', 'app-2', 'App-1', null])
})
