import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { ApiError } from '../../lib/api/api-error.ts'
import { draw } from '../../testing/draw.tsx'
import { OptionSelect } from './option-select.tsx'

const options = [
  { value: 'a1', label: 'Shop', lines: ['ID: a1', 'DEPLOYED APPS: 3'] },
  { value: 'b2', label: 'Platform', lines: ['ID: b2'] },
]
type Props = Parameters<typeof OptionSelect>[0]
async function open(more: Partial<Props> = {}) {
  const onChange = vi.fn()
  draw(
    <OptionSelect
      label="SPACE"
      options={options}
      value={undefined}
      onChange={onChange}
      searchable
      none
      emptyText="No Spaces!"
      {...more}
    />,
  )
  await userEvent.click(screen.getByRole('button', { name: /^SPACE/ }))
  return onChange
}

it('finds by any value and says so when nothing matches', async () => {
  const onChange = await open()
  const search = screen.getByLabelText('Search SPACE')
  await userEvent.type(search, 'apps: 3')
  expect(screen.queryByText('Platform')).toBeNull()
  await userEvent.clear(search)
  await userEvent.type(search, 'zzz')
  expect(screen.getByText('No Match Found!')).toBeDefined()
  await userEvent.clear(search)
  await userEvent.click(screen.getByText('Platform'))
  expect(onChange).toHaveBeenCalledWith('b2')
})

it('offers None', async () => {
  const onChange = await open({ value: 'a1' })
  await userEvent.click(screen.getByRole('option', { name: 'None' }))
  expect(onChange).toHaveBeenCalledWith(undefined)
})

it.each([
  ['Loading', { options: undefined }],
  ['No Spaces!', { options: [] }],
  ['Reason: gone', { error: new ApiError(503, 'gone'), errorName: 'Apps Space Dropdown' }],
])('shows %s inside the list', async (text, props) => {
  await open(props)
  expect(screen.getByRole('listbox').textContent).toContain(text)
})
