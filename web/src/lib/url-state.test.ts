import { expect, it } from 'vitest'
import { parseUrlSearch, withChange, writeUrlSearch } from './url-state.ts'

it('keeps what was typed, letter for letter', () => {
  const state = { q: '007 & true;', sort: '-name' }
  expect(parseUrlSearch(writeUrlSearch(state))).toEqual(state)
})

it('drops what is empty', () => {
  expect(withChange({ q: 'a', space: 'x' }, { q: '', sort: 'name' })).toEqual({ space: 'x', sort: 'name' })
  expect(writeUrlSearch({ q: '', space: undefined })).toBe('')
})
