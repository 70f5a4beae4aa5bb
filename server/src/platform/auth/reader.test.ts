import { expect, it } from 'vitest'
import { readerOf } from './reader.ts'

it('a caller who is kept within spaces reads nothing that lies in none, not even their own', () => {
  const actor = { tenantId: 't', userId: 'mara' }
  expect(readerOf({ ...actor, within: undefined }, undefined)).toEqual({ ...actor, within: undefined })
  expect(readerOf({ ...actor, within: new Set(['s1']) as never }, undefined).userId).toBeUndefined()
})
