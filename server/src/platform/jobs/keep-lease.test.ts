import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepLease } from './keep-lease.ts'

const log = pino({ level: 'silent' })
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('a lease is renewed five times before it ends, until stopped', async () => {
  const renew = vi.fn(async () => true)
  const lost = vi.fn()
  const stop = keepLease(30, renew, lost, log)
  await vi.advanceTimersByTimeAsync(31_000)
  stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(renew).toHaveBeenCalledTimes(5)
  expect(lost).not.toHaveBeenCalled()
})

test('one that somebody took over is lost at once', async () => {
  const lost = vi.fn()
  keepLease(30, async () => false, lost, log)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(lost).toHaveBeenCalledTimes(1)
})

test.each([
  ['refuses', () => Promise.reject(new Error('away'))],
  ['hangs', () => new Promise<boolean>(() => undefined)],
])('a database that %s for twenty seconds ends it before the lease does', async (_, renew) => {
  const lost = vi.fn()
  keepLease(30, renew, lost, log)
  await vi.advanceTimersByTimeAsync(19_000)
  expect(lost).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(3_000)
  expect(lost).toHaveBeenCalledTimes(1)
})

test('a short outage is lived through', async () => {
  let calls = 0
  const lost = vi.fn()
  const renew = async () => {
    calls += 1
    if (calls < 3) throw new Error('away')
    return true
  }
  const stop = keepLease(30, renew, lost, log)
  await vi.advanceTimersByTimeAsync(40_000)
  stop()
  expect(lost).not.toHaveBeenCalled()
})
