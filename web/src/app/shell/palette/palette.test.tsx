import { apps } from '@quayside/contract/apps/endpoints'
import { spaces } from '@quayside/contract/spaces/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../../testing/portal.tsx'
import { anApp, aSpace, pageOf } from '../../../testing/things.ts'
import { PaletteButton } from './palette-button.tsx'

async function open(answers: Answers = {}) {
  const calls = serving({
    ...answer(spaces.listSpaces, pageOf(aSpace())),
    ...answer(apps.listApps, pageOf(anApp())),
    ...answers,
  })
  const { router } = drawInPortal(<PaletteButton />)
  await screen.findByRole('button', { name: /Search or jump to/ })
  await userEvent.keyboard('{Control>}k{/Control}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Search or jump to' }))
  return { calls, dialog, where: () => router.state.location.pathname }
}
const groups = () =>
  screen.getAllByRole('group').map((group) => [
    group.getAttribute('aria-label'),
    ...within(group)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ])

it('opens by its keys, and lists the pages that the person may open', async () => {
  await open()
  await waitFor(() => expect(groups()).toContainEqual(['Spaces', 'Shopshop']))
  expect(groups()).toContainEqual(['Apps', 'Tank levelstank-levels'])
  expect(groups()[0]?.slice(0, 3)).toEqual(['Pages', 'Home', 'Apps'])
  expect(screen.queryByRole('group', { name: 'Clusters' })).toBeNull()
  await userEvent.keyboard('{Control>}k{/Control}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('asks the server for what is typed, and goes to what is chosen by the keys', async () => {
  const { calls, dialog, where } = await open()
  await userEvent.type(dialog.getByRole('combobox'), 'zzz')
  await waitFor(() => expect(calls.filter(({ path }) => path.includes('search=zzz'))).toHaveLength(2))
  await waitFor(() => expect(groups().map(([name]) => name)).toEqual(['Spaces', 'Apps']))
  expect(dialog.getByRole('option', { selected: true }).textContent).toBe('Shopshop')
  await userEvent.keyboard('{ArrowDown}')
  expect(dialog.getByRole('option', { selected: true }).textContent).toBe('Tank levelstank-levels')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(where()).toBe('/apps/7app001'))
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('says that nothing matches, and names what could not be searched', async () => {
  const { dialog } = await open({
    ...answer(spaces.listSpaces, pageOf()),
    ...answer(apps.listApps, new Refusal(500, 'The database is away')),
  })
  await userEvent.type(dialog.getByRole('combobox'), 'zzz')
  await waitFor(() => expect(dialog.getByRole('status').textContent).toBe('No Match Found!Could not be searched: Apps'))
})
