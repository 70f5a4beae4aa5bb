import { expect, test, vi } from 'vitest'
import { callers } from '../../../platform/concurrency/fair-places.ts'
import { createLogger } from '../../../platform/logging/logger.ts'
import { createPump } from './pump.ts'

test('news that somebody asks for are read for everybody, and wait for the places of nobody', async () => {
  const readers: unknown[] = []
  const sendNews = async () => {
    readers.push(callers.getStore())
    return readers.length < 2
  }
  const pump = createPump(sendNews, { later: vi.fn() }, createLogger('silent'))
  await callers.run({ tenant: 'demo', person: 'u1', onlyReads: false, hasBegun: true }, () => pump('demo', 'a1'))
  expect(readers).toEqual([undefined, undefined])
})
