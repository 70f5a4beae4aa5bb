import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { draw } from '../../../testing/draw.tsx'
import { Pager } from './pager.tsx'

it.each([
  ['the first page', { skip: 0, limit: 50, total: 120 }, '1–50 of 120', { Previous: undefined, Next: 50 }],
  ['a page between', { skip: 50, limit: 50, total: 120 }, '51–100 of 120', { Previous: 0, Next: 100 }],
  ['a last page that is not full', { skip: 100, limit: 50, total: 120 }, '101–120 of 120', { Previous: 50 }],
  ['a last page that is full', { skip: 50, limit: 50, total: 100 }, '51–100 of 100', { Previous: 0 }],
  ['a page that begins between two', { skip: 30, limit: 50, total: 120 }, '31–80 of 120', { Previous: 0, Next: 80 }],
])('%s leads to those around it alone', async (_, page, text, ways) => {
  const onSkip = vi.fn()
  draw(<Pager {...page} onSkip={onSkip} />)
  expect(screen.getByRole('navigation', { name: 'Pages' }).textContent).toContain(text)
  for (const name of ['Previous', 'Next'] as const) {
    onSkip.mockClear()
    await userEvent.click(screen.getByRole('button', { name }))
    const to: number | undefined = (ways as Record<string, number | undefined>)[name]
    expect(onSkip.mock.calls, name).toEqual(to === undefined ? [] : [[to]])
  }
})

it.each([
  ['a list that fits on a page', 50, 'navigation'],
  ['a list without rows', 0, undefined],
])('%s has no other pages', (_, total, role) => {
  draw(<Pager skip={0} limit={50} total={total} onSkip={() => undefined} />)
  expect(screen.queryAllByRole('button')).toEqual([])
  expect(screen.queryAllByRole('navigation')).toHaveLength(role === undefined ? 0 : 1)
})
