import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApi } from './api/api.ts'
import { createQueryClient } from './query-client.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** How often a read is sent in ten minutes in which it is answered like this. */
async function timesSent(status: number): Promise<number> {
  const send = vi.fn(async () => {
    const headers = { 'content-type': 'application/json', 'retry-after': '1' }
    return new Response(JSON.stringify({ message: 'not now' }), { status, headers })
  })
  vi.stubGlobal('fetch', send)
  const api = createApi({
    ...{ current: () => 'token', refresh: async () => false, lost: () => undefined },
    exchangeTicket: () => Promise.reject(new Error('no ticket')),
  })
  const client = createQueryClient()
  const queryFn = () => api.send('GET', '/a')
  const stop = new QueryObserver(client, { queryKey: ['a'], queryFn }).subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(600_000)
  stop()
  client.clear()
  return send.mock.calls.length
}

it('sends a read that a busy portal refuses three more times, and then leaves the portal alone', async () => {
  expect(await timesSent(429)).toBe(4)
})

it('goes on asking for a read that nobody answered', async () => {
  expect(await timesSent(503)).toBeGreaterThan(20)
})
