import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { TagInput } from './tag-input.tsx'

function Field({ start = [] }: { start?: string[] }) {
  const [tags, setTags] = useState(start)
  return (
    <>
      <TagInput label="TAGS" value={tags} onChange={setTags} />
      <output>{JSON.stringify(tags)}</output>
    </>
  )
}
const shown = () => JSON.parse(screen.getByRole('status').textContent ?? '')

it('adds on Enter, on comma and on blur, trimmed, and ignores empty and repeated ones', async () => {
  render(<Field />)
  const input = screen.getByLabelText('TAGS')
  await userEvent.type(input, '  alpha  {Enter} beta,   ,alpha{Enter}gamma ')
  expect(shown()).toEqual(['alpha', 'beta'])
  await userEvent.tab()
  expect(shown()).toEqual(['alpha', 'beta', 'gamma'])
})

it('removes a tag that is clicked', async () => {
  render(<Field start={['a', 'b']} />)
  await userEvent.click(screen.getByRole('button', { name: 'Remove tag a' }))
  expect(shown()).toEqual(['b'])
})
