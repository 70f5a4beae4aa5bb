import { type Configuration, dashboardLibrary } from '@quayside/contract/dashboards/library'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { testListPage } from '../../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../../testing/portal.tsx'
import { pageOf } from '../../../testing/things.ts'
import { ConfigurationList } from './configuration-list.tsx'

const variables: Configuration = {
  ...{ id: 'c1', name: 'Team', kind: 'variables', value: { team: 'shop' }, spaceId: null, revision: 3 },
  ...{ updatedAt: '2026-01-01T00:00:00.000Z', updatedBy: 'mara' },
}
const keeper = { 'quayside-portal-ui-apps': ['apps.create'] }

function open(answers: Answers = {}, more: Record<string, string[]> = keeper) {
  const calls = serving({ ...answer(dashboardLibrary.listConfigurations, pageOf(variables)), ...answers })
  drawInPortal(<ConfigurationList />, { more })
  return () => calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body])
}

testListPage({
  open,
  list: dashboardLibrary.listConfigurations,
  filled: pageOf(variables),
  none: pageOf(),
  label: 'Configurations',
  row: { Name: /Team/, Kind: 'Variables', 'Seen by': 'Everyone', 'Changed by': 'mara' },
  empty: 'No configurations yet',
})

const act = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Team' }))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}

it('variables are changed as lines, and a line that is none is named', async () => {
  const sent = open(answer(dashboardLibrary.saveConfiguration, variables))
  await act('Edit')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit configuration' }))
  const lines = dialog.getByRole('textbox', { name: 'Variables' })
  await userEvent.type(lines, '\nregion')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText(/^“region” is not a variable/)).toBeDefined()
  await userEvent.type(lines, ' = eu')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  const body = { id: 'c1', baseRevision: 3, name: 'Team', kind: 'variables', value: { team: 'shop', region: 'eu' } }
  await waitFor(() => expect(sent()).toEqual([['POST', '/dashboard/v1/configurations', body]]))
})

it('a refusal is said in the dialog', async () => {
  open(
    answer(
      dashboardLibrary.saveConfiguration,
      new Refusal(409, 'There is one of this name.', 'configuration.name-taken'),
    ),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'New configuration' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New configuration' }))
  await userEvent.type(dialog.getByRole('textbox', { name: /^Name/ }), 'Team')
  await userEvent.click(dialog.getByRole('button', { name: 'Create configuration' }))
  expect(await dialog.findByText(/There is one of this name/)).toBeDefined()
})

it('a configuration is deleted once that is confirmed, by those who keep them and by nobody else', async () => {
  open({}, {})
  await screen.findByText('Team')
  expect(screen.queryByRole('button', { name: 'Actions for Team' })).toBeNull()
  cleanup()
  const sent = open(answer(dashboardLibrary.deleteConfiguration, undefined as never, { id: 'c1' }))
  await act('Delete')
  const asked = await screen.findByRole('dialog', { name: 'Delete configuration' })
  expect(sent()).toEqual([])
  await userEvent.click(within(asked).getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(sent()).toEqual([['DELETE', '/dashboard/v1/configurations/c1', undefined]]))
})
