import { expect, it } from 'vitest'
import { localOf } from '../../../ui/text/local-moment.ts'
import { endsOf, momentOf } from './ends.ts'

const now = Date.parse('2026-11-22T12:00:00.000Z')

it('a duration counts from now, never lasts, and a date is read in the time zone of the reader', () => {
  expect(momentOf({ kind: 'hours', hours: 8 }, now)).toBe('2026-11-22T20:00:00.000Z')
  expect(momentOf({ kind: 'never' }, now)).toBeNull()
  expect(momentOf({ kind: 'date', local: localOf('2026-11-24T14:00:00.000Z') }, now)).toBe('2026-11-24T14:00:00.000Z')
})

it.each(['', 'soon', localOf('2026-11-22T11:00:00.000Z')])('"%s" is no moment ahead', (local) => {
  expect(momentOf({ kind: 'date', local }, now)).toBeUndefined()
})

it('a form begins with what the entry has', () => {
  expect(endsOf(null)).toEqual({ kind: 'never' })
  expect(momentOf(endsOf('2026-12-01T08:30:00.000Z'), now)).toBe('2026-12-01T08:30:00.000Z')
})
