import { type User, users } from '@quayside/contract/users/endpoints'
import { lockouts } from '@quayside/contract/users/lockouts'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { pageOf } from '../../testing/things.ts'
import { UsersPage } from './users-page.tsx'

const user = (username: string) => ({
  ...{ id: username, username, email: null, firstName: null, lastName: null, enabled: true, createdAt: null },
})

const nobodyLocked: Answers = {
  ...answer(lockouts.findLockouts, { data: [] }),
  ...answer(lockouts.listLockedAddresses, { data: [] }),
  ...answer(lockouts.listUnlockings, pageOf()),
}

function open(total: number) {
  const data = [user('zoe'), user('ana')]
  const calls = serving({
    ...nobodyLocked,
    'GET /iam/v3/users': { data, page: { skip: 0, limit: 50, total }, next: null },
  })
  drawInPortal(<UsersPage requests={<p>All requests</p>} />)
  const asked = () => calls.map(({ path }) => path).filter((path) => path.startsWith('/iam/v3/users?'))
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

it('says who is locked out until when, and lets people and addresses in again', async () => {
  let locked = ['zoe']
  let addresses = ['203.0.113.7']
  const until = new Date(Date.now() + 600_000).toISOString()
  const calls = serving({
    ...answer(lockouts.findLockouts, () => ({
      data: locked.map((userId) => ({
        ...{ userId, until, failures: 30, lastAddress: '203.0.113.9', lastFailureAt: until },
      })),
    })),
    ...answer(lockouts.listLockedAddresses, () => ({
      data: addresses.map((address) => ({ address, until, failures: 100 })),
    })),
    ...answer(
      lockouts.listUnlockings,
      pageOf({ id: '1', at: until, by: 'mara', what: 'person' as const, about: 'gil', name: 'gil' }),
    ),
    'GET /iam/v3/users': pageOf(user('zoe'), user('ana')),
    'DELETE /iam/v3/users/zoe/lockout': () => {
      locked = []
      return {}
    },
    'DELETE /iam/v3/locked-addresses/203.0.113.7': () => {
      addresses = []
      return {}
    },
  })
  const more = { 'quayside-portal-ui-iam-users': ['users.edit'] }
  drawInPortal(<UsersPage requests={<p>All requests</p>} />, { more })
  const row = (await screen.findByRole('rowheader', { name: /^zoe/ })).closest('tr') as HTMLElement
  await within(row).findByText('Locked out')
  expect(row.textContent).toContain('ends in 10 min')
  expect(row.textContent).toContain('last from 203.0.113.9')
  expect(calls.find(({ path }) => path === '/iam/v3/users/lockouts')?.body).toEqual({ ids: ['zoe', 'ana'] })
  await userEvent.click(within(row).getByRole('button', { name: 'Unlock zoe' }))
  await within(row).findByText('Enabled')
  await userEvent.click(screen.getByRole('button', { name: 'Unlock 203.0.113.7' }))
  await waitFor(() => expect(screen.queryByText('203.0.113.7')).toBeNull())
  expect(screen.getByRole('list', { name: 'Unlocked' }).textContent).toContain('gil was unlocked by mara')
})

const zoe: User = {
  ...{ id: 'u1', username: 'zoe', email: 'zoe@example.org', firstName: 'Zoe', lastName: 'Kim', enabled: false },
  createdAt: null,
}

testListPage({
  open: (answers: Answers) => {
    serving({ ...nobodyLocked, ...answers })
    drawInPortal(<UsersPage requests={<p>All requests</p>} />)
  },
  list: users.findUsers,
  filled: pageOf(zoe),
  none: pageOf(),
  label: 'Users',
  row: { Name: /Zoe Kimzoe$/, 'E-mail': 'zoe@example.org', State: 'Disabled' },
  empty: 'No users',
})

it('makes a user, and shows their page', async () => {
  const calls = serving({
    ...nobodyLocked,
    'GET /iam/v3/users': pageOf(),
    'POST /iam/v3/users': {
      ...zoe,
      emailVerified: false,
      requiredActions: [],
      attributes: null,
      serviceAccountOf: null,
    },
  })
  const more = { 'quayside-portal-ui-iam-users': ['users.create', 'users.credentials.manage'] }
  const { router } = drawInPortal(<UsersPage requests={<p>All requests</p>} />, { more })
  await userEvent.click(await screen.findByRole('button', { name: 'New user' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New user' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Create user' }))
  expect(dialog.getByText('User name required')).toBeDefined()
  await userEvent.type(dialog.getByLabelText('User name *'), ' zoe ')
  await userEvent.selectOptions(dialog.getByLabelText('First sign-in'), 'Set a password')
  await userEvent.type(dialog.getByLabelText('Password *'), 'Harbour-4711')
  await userEvent.click(dialog.getByRole('button', { name: 'Create user' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/users/u1'))
  expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
    ...{ username: 'zoe', email: null, firstName: null, lastName: null },
    password: { value: 'Harbour-4711', temporary: true },
  })
})

const made = { ...zoe, emailVerified: false, requiredActions: [], attributes: null, serviceAccountOf: null }

async function invite(way: string, answers: object) {
  const calls = serving({ ...nobodyLocked, 'GET /iam/v3/users': pageOf(), 'POST /iam/v3/users': made, ...answers })
  const more = { 'quayside-portal-ui-iam-users': ['users.create', 'users.credentials.manage'] }
  const { router } = drawInPortal(<UsersPage requests={<p>All requests</p>} />, { more })
  await userEvent.click(await screen.findByRole('button', { name: 'New user' }))
  await userEvent.type(screen.getByLabelText('User name *'), 'zoe')
  await userEvent.selectOptions(screen.getByLabelText('First sign-in'), way)
  return { calls, router, create: () => userEvent.click(screen.getByRole('button', { name: 'Create user' })) }
}

it('invites by a link to copy', async () => {
  const link = { link: 'https://id.example.org/link?key=k', expiresAt: new Date(Date.now() + 3_600_000).toISOString() }
  const { calls, router, create } = await invite('Invite by a link to copy', {
    'POST /iam/v3/users/u1/action-link': link,
  })
  await create()
  const dialog = within(await screen.findByRole('dialog', { name: /^Invite / }))
  expect((await dialog.findByLabelText<HTMLInputElement>('Link')).value).toBe(link.link)
  const asked = calls.filter(({ path }) => path.endsWith('/action-link'))
  expect(asked.map(({ body }) => body)).toEqual([{ actions: ['UPDATE_PASSWORD'], hours: 12 }])
  await userEvent.click(dialog.getByRole('button', { name: 'To the user' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/users/u1'))
})

it('invites by mail, which needs an address, and says when it was not sent', async () => {
  const refused = new Refusal(409, 'The identity server could not send mail.')
  const { create } = await invite('Invite by mail', { 'PUT /iam/v2/users/u1/execute-actions-email': refused })
  await create()
  expect(screen.getByText('E-mail required for the invitation')).toBeDefined()
  await userEvent.type(screen.getByLabelText('E-mail'), 'zoe@example.org')
  await create()
  const dialog = within(await screen.findByRole('dialog', { name: /^Invite / }))
  expect(await dialog.findByText('The user was made, but not invited.')).toBeDefined()
  expect(dialog.getByRole('button', { name: 'Try again' })).toBeDefined()
})

it('says at its field that a user name is taken', async () => {
  serving({ ...nobodyLocked, 'GET /iam/v3/users': pageOf(), 'POST /iam/v3/users': new Refusal(409, 'Taken') })
  drawInPortal(<UsersPage requests={<p>All requests</p>} />, {
    more: { 'quayside-portal-ui-iam-users': ['users.create'] },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'New user' }))
  await userEvent.type(screen.getByLabelText('User name *'), 'zoe')
  expect(screen.queryByLabelText('Password')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Create user' }))
  expect((await screen.findByRole('alert', { name: /^New user: / })).textContent).toContain('Taken')
})
