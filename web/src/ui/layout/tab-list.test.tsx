import { Tabs } from '@mantine/core'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { draw } from '../../testing/draw.tsx'
import { scrollToShow, TabList } from './tab-list.tsx'

const row = { left: 16, right: 374 }

it.each([
  ['stands in the middle', { left: 100, right: 180 }, 0],
  ['lies behind the end', { left: 500, right: 600 }, 600 + 32 - 374],
  ['is cut at the end', { left: 330, right: 400 }, 400 + 32 - 374],
  ['lies before the start, as in a row from right to left', { left: -120, right: -20 }, -120 - 32 - 16],
  ['is wider than the row', { left: 60, right: 700 }, 60 - 32 - 16],
])('a tab that %s', (_, tab, by) => expect(scrollToShow(row, tab)).toBe(by))

const names = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']

function Row({ first }: { first: string }) {
  const [value, setValue] = useState(first)
  return (
    <Tabs value={value} onChange={(next) => setValue(next ?? first)}>
      <TabList value={value}>
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </TabList>
    </Tabs>
  )
}

it('the tab that is open is brought into sight at first and after a change, by scrolling the row alone', async () => {
  // Seven tabs of 100 px in a row of 300.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    const at = names.indexOf(this.textContent ?? '')
    return { left: Math.max(at, 0) * 100, right: at < 0 ? 300 : (at + 1) * 100 } as DOMRect
  })
  const jump = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockReturnValue(undefined)
  const moved: unknown[] = []
  vi.spyOn(HTMLElement.prototype, 'scrollBy').mockImplementation((...by: unknown[]) => void moved.push(by[0]))
  draw(<Row first="six" />)
  expect(moved[0]).toEqual({ left: 600 + 32 - 300, behavior: 'instant' })
  moved.length = 0
  await userEvent.click(screen.getByRole('tab', { name: 'seven' }))
  expect(moved[0]).toEqual({ left: 700 + 32 - 300, behavior: 'instant' })
  expect(jump).not.toHaveBeenCalled()
})
