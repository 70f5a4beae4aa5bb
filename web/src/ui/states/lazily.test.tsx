import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { lazily } from './lazily.tsx'

it('a part that cannot be fetched says so in its place, leaves the rest alone, and comes when it is asked for again', async () => {
  // React reports what a boundary has caught.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let online = false
  const Part = lazily(async () => {
    if (!online) throw new TypeError('Failed to fetch dynamically imported module')
    return ({ text }: { text: string }) => <p>{text}</p>
  }, 'waiting')
  render(
    <>
      <input aria-label="Kept" />
      <Part text="here it is" />
    </>,
  )
  await userEvent.type(screen.getByLabelText('Kept'), 'typed')
  expect((await screen.findByRole('alert')).textContent).toContain('A part of this page could not be loaded.')
  online = true
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('here it is')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Kept').value).toBe('typed')
})
