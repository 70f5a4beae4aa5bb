import { type Role, roles } from '@quayside/contract/roles/endpoints'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, serving } from '../../testing/portal.tsx'
import { RolesPage } from './roles-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const role = (name: string, more: Partial<Role> = {}): Role => ({
  ...{ id: `id-of-${name}`, name, description: `For ${name}`, composite: false },
  ...more,
})

function open(answers: Answers) {
  const calls = serving(answers)
  drawInPortal(<RolesPage />)
  return calls
}
const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent)

testListPage({
  open,
  list: roles.listRoles,
  filled: { data: [role('operator', { composite: true })] },
  none: { data: [] },
  label: 'Roles',
  row: { Role: 'operator', Description: 'For operator', Kind: 'Composite', Id: /id-of-operator/ },
  empty: 'No roles',
})

it('finds roles by name and description, counts them all, and sorts them', async () => {
  open(answer(roles.listRoles, { data: [role('viewer'), role('admin'), role('member', { description: 'Sees more' })] }))
  await screen.findAllByRole('rowheader')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Roles 3')
  await userEvent.click(screen.getByRole('button', { name: 'Role' }))
  await waitFor(() => expect(names()).toEqual(['admin', 'member', 'viewer']))
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search: Name, description' }), 'sees')
  await waitFor(() => expect(names()).toEqual(['member']))
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search: Name, description' }), ' nothing')
  await userEvent.click(await screen.findByRole('button', { name: 'Clear search' }))
  await waitFor(() => expect(names()).toHaveLength(3))
})
