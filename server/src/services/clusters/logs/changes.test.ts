import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createChanges } from './changes.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function waiting(changes: ReturnType<typeof createChanges>) {
  const state = { isOver: false }
  void changes.next().then(() => {
    state.isOver = true
  })
  return state
}

it('gathers changes, also one that was told while nobody waited, and rests between two', async () => {
  const changes = createChanges(() => 500, new AbortController().signal)
  changes.tell()
  const first = waiting(changes)
  await vi.advanceTimersByTimeAsync(499)
  expect(first.isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(first.isOver).toBe(true)
  const second = waiting(changes)
  await vi.advanceTimersByTimeAsync(14_000)
  expect(second.isOver).toBe(false)
  changes.tell()
  await vi.advanceTimersByTimeAsync(0)
  expect(second.isOver).toBe(true)
})

it('looks after fifteen seconds anyway, and at once when the reader leaves', async () => {
  const reader = new AbortController()
  const changes = createChanges(() => 500, reader.signal)
  const first = waiting(changes)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(first.isOver).toBe(true)
  const second = waiting(changes)
  reader.abort()
  await vi.advanceTimersByTimeAsync(0)
  expect(second.isOver).toBe(true)
})
