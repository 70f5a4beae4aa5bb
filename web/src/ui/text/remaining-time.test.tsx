import { act } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { draw } from '../../testing/draw.tsx'
import { RemainingTime } from './remaining-time.tsx'

afterEach(() => void vi.useRealTimers())

it('counts down while it is shown, and no longer', () => {
  vi.useFakeTimers({ now: Date.parse('2031-05-01T12:00:00Z') })
  const { container, unmount } = draw(<RemainingTime until="2031-05-01T12:10:00Z" inline />)
  expect(container.textContent).toContain('ends in 10 min')
  act(() => void vi.advanceTimersByTime(5 * 60_000))
  expect(container.textContent).toContain('ends in 5 min')
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})
