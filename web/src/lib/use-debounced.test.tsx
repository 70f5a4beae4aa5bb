import { act, cleanup, render } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { useDebounced } from './use-debounced.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

it('follows a value once it has stayed the same for a moment, and skips what it was in between', () => {
  vi.useFakeTimers()
  const shown: { text: string }[] = []
  const Shown = ({ text }: { text: string }) => {
    shown.push(useDebounced({ text }))
    return null
  }
  const { rerender, unmount } = render(<Shown text="" />)
  for (const text of ['a', 'ab', 'abc']) {
    rerender(<Shown text={text} />)
    act(() => void vi.advanceTimersByTime(200))
  }
  expect(shown.at(-1)).toEqual({ text: '' })
  act(() => void vi.advanceTimersByTime(100))
  expect(shown.at(-1)).toEqual({ text: 'abc' })
  expect(new Set(shown.map(({ text }) => text))).toEqual(new Set(['', 'abc']))
  rerender(<Shown text="abcd" />)
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})
