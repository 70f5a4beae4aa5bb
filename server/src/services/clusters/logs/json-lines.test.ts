import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createJsonLines } from './json-lines.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const minute = 60_000

it('says now and then that it is still here', async () => {
  const { body, write } = createJsonLines(new AbortController().signal)
  await write({ a: 'line\nbreak' })
  vi.advanceTimersByTime(minute)
  expect(String(body.read())).toBe('{"a":"line\\nbreak"}\n\n\n\n')
})

it('writes nothing after its end, and refuses a reader who has left', async () => {
  const reader = new AbortController()
  const { body, write } = createJsonLines(reader.signal)
  const onError = vi.fn()
  body.on('error', onError)
  body.end()
  await write('more')
  vi.advanceTimersByTime(minute)
  reader.abort()
  await expect(write('more')).rejects.toThrow()
  vi.advanceTimersByTime(minute)
  await Promise.resolve()
  expect(onError).not.toHaveBeenCalled()
})

it('waits for a slow reader, and no longer than they stay', async () => {
  const reader = new AbortController()
  const { write } = createJsonLines(reader.signal)
  const waiting = write('x'.repeat(100_000))
  reader.abort()
  await expect(waiting).rejects.toThrow()
})
