import { defaultRoles, type Role, roles } from '@quayside/contract/roles/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { firstOf, pageOf } from '../../testing/things.ts'
import { RolesPage } from './roles-page.tsx'

const role = (name: string, more: Partial<Role> = {}): Role => ({
  ...{ id: `id-of-${name}`, name, description: `For ${name}`, composite: false },
  ...more,
})

function open(answers: Answers, held: string[] = [], at = '/') {
  const calls = serving(answers)
  const { router } = drawInPortal(<RolesPage />, { at, more: { 'quayside-portal-ui-iam-roles': held } })
  return { calls, router }
}

testListPage({
  open,
  list: roles.findRoles,
  filled: pageOf(role('operator', { composite: true })),
  none: pageOf(),
  label: 'Roles',
  row: { Role: 'operator', Description: 'For operator', Kind: 'Composite', Id: /id-of-operator/ },
  empty: 'No roles',
})

it('asks the server to search, sort and page, and counts them all', async () => {
  const { calls } = open(answer(roles.findRoles, firstOf(120, role('viewer'), role('admin'))))
  await screen.findAllByRole('rowheader')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Roles 120')
  await userEvent.click(screen.getByRole('button', { name: 'Description' }))
  await waitFor(() => expect(calls.at(-1)?.path).toContain('sort.description=ASC'))
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search: Name, description' }), 'see')
  await waitFor(() => expect(calls.at(-1)?.path).toContain('search=see'))
})

it('makes a role and opens it, or says at its field why not', async () => {
  let refusals = 1
  const { calls, router } = open(
    {
      ...answer(roles.findRoles, pageOf()),
      'POST /iam/v2/roles': () =>
        refusals-- > 0
          ? new Refusal(409, 'A role with this name already exists.')
          : { ...role('mate'), parts: [], builtIn: false, attributes: {} },
    },
    ['roles.create'],
  )
  await userEvent.click(await screen.findByRole('button', { name: 'New role' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New role' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Create role' }))
  expect(dialog.getByText('Name required')).toBeDefined()
  await userEvent.type(dialog.getByLabelText('Name *'), 'mate')
  await userEvent.click(dialog.getByRole('button', { name: 'Create role' }))
  expect(await dialog.findByText(/already exists/)).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Create role' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/roles/id-of-mate'))
  expect(calls.findLast(({ method }) => method === 'POST')?.body).toEqual({ name: 'mate', description: '' })
})

describe('default roles', () => {
  const held = ['roles.default_roles.view', 'roles.default_roles.manage']
  const answers: Answers = {
    ...answer(defaultRoles.listDefaultRoles, { data: [role('guest')] }),
    ...answer(roles.listRoles, { data: [role('guest'), role('member')] }),
    ...answer(defaultRoles.addDefaultRoles, undefined, { realm: 'demo' }),
    ...answer(defaultRoles.removeDefaultRoles, undefined, { realm: 'demo' }),
  }

  it('are added from the others, and removed after a question', async () => {
    const { calls } = open(answers, held, '/?tab=defaults')
    await userEvent.click(await screen.findByRole('button', { name: 'Add default roles' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add default roles' }))
    await userEvent.click(await dialog.findByRole('checkbox', { name: 'member' }))
    expect(dialog.queryByRole('checkbox', { name: 'guest' })).toBeNull()
    await userEvent.click(dialog.getByRole('button', { name: 'Assign to every user' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await userEvent.click(screen.getByRole('button', { name: 'Actions for guest' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove' }))
    const question = within(await screen.findByRole('dialog', { name: 'Remove default role' }))
    await userEvent.click(question.getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(1))
    const sent = calls.filter(({ method }) => method !== 'GET')
    expect(sent.map(({ method, body }) => [method, body])).toEqual([
      ['POST', [{ id: 'id-of-member' }]],
      ['DELETE', [{ id: 'id-of-guest' }]],
    ])
  })

  it('are on a tab for who may see them', async () => {
    open({ ...answers, ...answer(roles.findRoles, pageOf()) })
    expect(await screen.findByText('No roles')).toBeDefined()
    expect(screen.queryByRole('tab')).toBeNull()
  })
})
