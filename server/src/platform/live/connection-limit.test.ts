import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { createConnectionLimit } from './connection-limit.ts'

const connection = (readyState: 'open' | 'closed' = 'open') => Object.assign(new EventEmitter(), { readyState })
const ada = { tenantId: 'harbour', userId: 'ada' }

test('a person has as many connections as they may, until one of them ends', () => {
  const letsIn = createConnectionLimit(2)
  const [first, second, third] = [connection(), connection(), connection()]
  expect([first, second, third].map((one) => letsIn(ada, one))).toEqual([true, true, false])
  expect(letsIn(ada, second)).toBe(true)
  first.emit('close')
  expect(letsIn(ada, third)).toBe(true)
  expect(letsIn(ada, connection())).toBe(false)
})

test('others are let in, also somebody of the same id in another tenant', () => {
  const letsIn = createConnectionLimit(1)
  expect(letsIn(ada, connection())).toBe(true)
  expect(letsIn({ ...ada, userId: 'ben' }, connection())).toBe(true)
  expect(letsIn({ ...ada, tenantId: 'abroad' }, connection())).toBe(true)
  expect(letsIn(ada, connection())).toBe(false)
})

test('one that ended before it was let in takes no place', () => {
  const letsIn = createConnectionLimit(1)
  expect(letsIn(ada, connection('closed'))).toBe(true)
  expect(letsIn(ada, connection())).toBe(true)
})
