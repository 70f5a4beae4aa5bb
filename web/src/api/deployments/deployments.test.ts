import { expect, it, vi } from 'vitest'
import { createApi, type TokenSource } from '../../lib/api/api.ts'
import { postAction } from './deployments.ts'

it('a command that is sent again carries the same key, so that it is done once', async () => {
  vi.useFakeTimers()
  const keys: (string | undefined)[] = []
  vi.stubGlobal('fetch', async (_: string, { headers }: { headers: Record<string, string> }) => {
    keys.push(headers['idempotency-key'])
    if (keys.length === 1) throw new TypeError('Failed to fetch')
    const status = keys.length === 2 ? 503 : 202
    return new Response(JSON.stringify({ actionId: 'a1' }), { status, headers: { 'content-type': 'application/json' } })
  })
  const tokens: TokenSource = {
    current: () => 'token',
    refresh: async () => false,
    exchangeTicket: async () => '',
    lost: () => undefined,
  }
  const sent = postAction(createApi(tokens), 'Repair', { appId: 'x' }, 'key-1')
  await vi.advanceTimersByTimeAsync(4000)
  await expect(sent).resolves.toEqual({ actionId: 'a1' })
  expect(keys).toEqual(['key-1', 'key-1', 'key-1'])
})
