import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGiveUp } from './give-up.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const image = { key: 'image', graceSeconds: 20, because: 'no such image' }
const node = { key: 'node', graceSeconds: 150, because: 'no node' }

test('gives up once an object has been without hope for its whole grace, however often it is looked at', () => {
  const over = vi.fn()
  const giveUp = createGiveUp(over)
  giveUp.look([node, image])
  vi.advanceTimersByTime(15_000)
  giveUp.look([{ ...image, because: 'still no such image' }, node])
  vi.advanceTimersByTime(4_000)
  expect(over).not.toHaveBeenCalled()
  expect(giveUp.reason()).toBe('still no such image')
  vi.advanceTimersByTime(2_000)
  expect(over.mock.calls).toEqual([[{ ...image, because: 'still no such image' }]])
  vi.advanceTimersByTime(600_000)
  expect(over).toHaveBeenCalledTimes(1)
})

test('what came well meanwhile has its whole grace again, and nobody gives up after the end', () => {
  const over = vi.fn()
  const giveUp = createGiveUp(over)
  giveUp.look([image])
  vi.advanceTimersByTime(19_000)
  giveUp.look([])
  expect(giveUp.reason()).toBeNull()
  vi.advanceTimersByTime(5_000)
  giveUp.look([image])
  vi.advanceTimersByTime(19_000)
  expect(over).not.toHaveBeenCalled()
  giveUp.stop()
  giveUp.look([image])
  vi.advanceTimersByTime(60_000)
  expect(over).not.toHaveBeenCalled()
})
