import { act, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useEffect, useState } from 'react'
import { expect, it, vi } from 'vitest'
import { draw } from '../../testing/draw.tsx'
import { FilterChip } from './filter-chip.tsx'

const options = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ value: `s${n}`, label: `Space ${String.fromCharCode(65 + n)}` }))

it('a short list is a menu', async () => {
  const onChange = vi.fn()
  draw(<FilterChip label="Space" value={undefined} options={options(10)} onChange={onChange} />)
  await userEvent.click(screen.getByRole('button', { name: 'Space Any' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Space C' }))
  expect(onChange).toHaveBeenCalledWith('s2')
})

it('a long list is searched, and left again for any', async () => {
  const onChange = vi.fn()
  draw(<FilterChip label="Space" value="s4" options={options(11)} onChange={onChange} />)
  await userEvent.click(screen.getByRole('button', { name: 'Space Space E' }))
  await userEvent.type(await screen.findByLabelText('Search Space'), 'space k')
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(onChange).toHaveBeenCalledWith('s10')
  await userEvent.click(screen.getByRole('button', { name: 'Space Space E' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Any' }))
  expect(onChange).toHaveBeenLastCalledWith(undefined)
})

it('a list that grows long while its menu is open stays open', async () => {
  function Growing() {
    const [count, setCount] = useState(2)
    useEffect(() => {
      const grow = () => setCount(11)
      window.addEventListener('grow', grow)
      return () => window.removeEventListener('grow', grow)
    }, [])
    return <FilterChip label="Space" value={undefined} options={options(count)} onChange={() => undefined} />
  }
  draw(<Growing />)
  await userEvent.click(screen.getByRole('button', { name: 'Space Any' }))
  await screen.findByRole('menuitem', { name: 'Space B' })
  act(() => void window.dispatchEvent(new Event('grow')))
  expect(screen.getByRole('menuitem', { name: 'Space K' })).toBeDefined()
  await userEvent.click(screen.getByRole('menuitem', { name: 'Space K' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Space Any' }))
  expect(await screen.findByLabelText('Search Space')).toBeDefined()
})
