import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { drawInPortal, serving } from '../../../testing/portal.tsx'
import { SavedFilters } from './saved-filters.tsx'

function open(at: string) {
  serving({})
  const { router } = drawInPortal(<SavedFilters list="apps" keys={['q', 'state', 'sort']} />, { at })
  return () => router.state.location.href
}
const choose = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Saved filters' }))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}

it('keeps search, filters and sort under a name, and brings them back from the first page on', async () => {
  open('/?q=web&state=failed&tab=x')
  await choose('Save these filters')
  await userEvent.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Broken')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  cleanup()
  const where = open('/?q=other&skip=50&tab=x')
  await choose('Broken')
  await waitFor(() => expect(where()).toContain('state=failed'))
  expect(where()).toContain('q=web')
  expect(where()).toContain('tab=x')
  expect(where()).not.toContain('skip')
  await choose('Delete Broken')
  await userEvent.click(await screen.findByRole('button', { name: 'Saved filters' }))
  expect(await screen.findByText('Nothing is saved yet.')).toBeDefined()
})

it('has nothing to save where nothing is filtered', async () => {
  open('/?skip=50')
  await userEvent.click(await screen.findByRole('button', { name: 'Saved filters' }))
  const item = await screen.findByRole('menuitem', { name: 'Save these filters' })
  expect(item.getAttribute('data-disabled')).toBe('true')
})
