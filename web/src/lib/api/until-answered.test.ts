import { beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from './api-error.ts'
import { awaiting, timeoutMs, untilAnswered } from './until-answered.ts'

const away = new ApiError(503, 'The database cannot be reached.', { code: 'database.unavailable' })
const lost = new ApiError(0, 'Failed to fetch')

let online: (() => void)[] = []
beforeEach(() => {
  vi.useFakeTimers()
  online = []
  vi.stubGlobal('window', {
    addEventListener: (name: string, listener: () => void) => name === 'online' && online.push(listener),
    removeEventListener: (_: string, listener: () => void) => {
      online = online.filter((each) => each !== listener)
    },
  })
})

function failing(...errors: Error[]) {
  return vi.fn(async () => {
    const error = errors.shift()
    if (error) throw error
    return 'done'
  })
}

it('sends again until it is answered, says so meanwhile, and stops saying it', async () => {
  const send = failing(away, lost, new ApiError(504, 'Gateway Timeout'))
  const heard: boolean[] = []
  const stop = awaiting.onChange(() => heard.push(awaiting.is()))
  const sent = untilAnswered(send)
  await vi.advanceTimersByTimeAsync(7000)
  await expect(sent).resolves.toBe('done')
  expect([send.mock.calls.length, heard, online]).toEqual([4, [true, false], []])
  stop()
})

it('sends again what a busy portal refused, which is no outage', async () => {
  const send = failing(new ApiError(429, 'busy', { code: 'portal.busy' }))
  const sent = untilAnswered(send)
  await vi.advanceTimersByTimeAsync(900)
  expect(awaiting.is()).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  await expect(sent).resolves.toBe('done')
})

it('does not wait any longer when the network is back', async () => {
  const send = failing(lost, lost, lost, lost)
  const sent = untilAnswered(send)
  await vi.advanceTimersByTimeAsync(7100)
  expect(send).toHaveBeenCalledTimes(4)
  for (const listener of online) listener()
  await expect(sent).resolves.toBe('done')
  expect(send).toHaveBeenCalledTimes(5)
})

it('gives up when its time is over, with the last reason', async () => {
  const send = vi.fn(async () => {
    throw away
  })
  const sent = expect(untilAnswered(send)).rejects.toBe(away)
  await vi.advanceTimersByTimeAsync(timeoutMs)
  await sent
  expect(send.mock.calls.length).toBeGreaterThan(10)
  expect(awaiting.is()).toBe(false)
})

it.each([
  ['a refusal', new ApiError(409, 'taken')],
  ['our own error', new ApiError(500, 'broken')],
  ['a cluster that is away', new ApiError(502, 'away', { code: 'cluster.unreachable' })],
  ['a mistake of ours', new TypeError('x is not a function')],
])('%s is an answer', async (_, error) => {
  const send = failing(error)
  await expect(untilAnswered(send)).rejects.toBe(error)
  expect(send).toHaveBeenCalledTimes(1)
})
