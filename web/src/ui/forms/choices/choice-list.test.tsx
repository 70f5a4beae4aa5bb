import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { draw } from '../../../testing/draw.tsx'
import { ChoiceList } from './choice-list.tsx'

const options = ['Dock', 'Harbour', 'Quarry'].map((name) => ({ id: name, name, description: '' }))

function Spaces() {
  const [chosen, setChosen] = useState<string[]>([])
  const texts = { label: 'Spaces', searchLabel: 'Search spaces', noMatch: 'No space matches.' }
  return <ChoiceList {...texts} options={options} chosen={chosen} most={2} onChange={setChosen} />
}
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name })

it('says when as many are chosen as may be, and lets one be changed for another', async () => {
  draw(<Spaces />)
  await userEvent.click(box('Dock'))
  expect(screen.queryByRole('status')).toBeNull()
  await userEvent.click(box('Harbour'))
  expect(screen.getByRole('status').textContent).toBe('No more than 2 can be chosen.')
  expect(box('Quarry').disabled).toBe(true)
  await userEvent.click(box('Dock'))
  await userEvent.click(box('Quarry'))
  expect(['Dock', 'Harbour', 'Quarry'].map((name) => box(name).checked)).toEqual([false, true, true])
})
