import { type User, users } from '@quayside/contract/users/endpoints'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, drawInPortal, serving } from '../../testing/portal.tsx'
import { pageOf } from '../../testing/things.ts'
import { UsersPage } from './users-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const user = (username: string) => ({
  ...{ id: username, username, email: null, firstName: null, lastName: null, enabled: true, createdAt: null },
})

function open(total: number) {
  const data = [user('zoe'), user('ana')]
  const calls = serving({ 'GET /iam/v3/users': { data, page: { skip: 0, limit: 50, total }, next: null } })
  drawInPortal(<UsersPage requests={<p>All requests</p>} />)
  const asked = () => calls.map(({ path }) => path).filter((path) => path.startsWith('/iam/v3/users'))
  return { asked }
}
const names = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent)

it('asks the server for another order, and shows its rows as they come', async () => {
  const { asked } = open(2)
  await userEvent.click(await screen.findByRole('button', { name: 'E-mail' }))
  await waitFor(() => expect(asked().at(-1)).toContain('sort.email=ASC'))
  expect(names()[0]).toContain('zoe')
  await userEvent.click(screen.getByRole('button', { name: 'E-mail' }))
  await waitFor(() => expect(asked().at(-1)).toContain('sort.email=DESC'))
  expect(names()[0]).toContain('zoe')
})

it('offers no order that the server refuses', async () => {
  open(1001)
  await screen.findAllByRole('rowheader')
  expect(screen.queryByRole('button', { name: 'E-mail' })).toBeNull()
})

const zoe: User = {
  ...{ id: 'u1', username: 'zoe', email: 'zoe@example.org', firstName: 'Zoe', lastName: 'Kim', enabled: false },
  createdAt: null,
}

testListPage({
  open: (answers: Answers) => {
    serving(answers)
    drawInPortal(<UsersPage requests={<p>All requests</p>} />)
  },
  list: users.findUsers,
  filled: pageOf(zoe),
  none: pageOf(),
  label: 'Users',
  row: { Name: /Zoe Kimzoe$/, 'E-mail': 'zoe@example.org', State: 'Disabled' },
  empty: 'No users',
})
