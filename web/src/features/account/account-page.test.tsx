import { account } from '@quayside/contract/account/endpoints'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { setPreference } from '../../lib/preferences.ts'
import { type Answers, answer, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { AccountPage } from './account-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setPreference('direction', 'ltr')
  setPreference('rows', 'comfortable')
})

const mara = {
  ...{ id: 'id-of-mara', username: 'mara', email: 'mara@example.org', firstName: 'Mara', lastName: 'Keller' },
  ...{ realm: 'demo', realmRoles: ['quayside-member'], resourceRoles: {}, groups: ['/Crew'] },
}
const at = '2026-01-01T00:00:00.000Z'
const here = {
  id: 's1',
  ipAddress: '192.0.2.7',
  startedAt: at,
  lastAccessAt: at,
  clients: ['quayside-portal-ui'],
  current: true,
}
const elsewhere = { ...here, id: 's2', ipAddress: null, current: false, clients: [] }

function open(answers: Answers = {}) {
  const calls = serving({
    ...answer(account.account, mara),
    ...answer(account.accountSessions, { data: [here, elsewhere] }),
    ...answers,
  })
  const { session } = drawInPortal(<AccountPage kubeconfigs={<p>Kubeconfigs of mine</p>} />)
  return { calls, session }
}
const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent

it('shows each fact of the person under its name', async () => {
  open()
  await screen.findByText('mara@example.org')
  expect(
    ['User name', 'First name', 'Last name', 'E-mail', 'Realm', 'Groups', 'Roles'].map((name) => fact(name)),
  ).toEqual(['mara', 'Mara', 'Keller', 'mara@example.org', 'demo', '/Crew', 'quayside-member'])
  expect(fact('User id')).toContain('id-of-mara')
  expect(screen.getByText('Kubeconfigs of mine')).toBeDefined()
})

it('shows where the person is signed in', async () => {
  open()
  const table = await screen.findByRole('table', { name: 'Sessions' })
  await within(table).findAllByRole('rowheader')
  const rows = within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].slice(0, 3).map(({ textContent }) => textContent))
  expect(rows).toEqual([
    ['Address', 'Device', 'Clients'],
    ['192.0.2.7s1', 'This one', 'quayside-portal-ui'],
    ['Unknown addresss2', 'Another', '–'],
  ])
})

it('ends all sessions after a question, and signs in again', async () => {
  const { calls, session } = open(answer(account.logout, undefined))
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
  const question = await screen.findByRole('dialog', { name: 'Sign out everywhere' })
  expect(calls.some(({ method }) => method === 'POST')).toBe(false)
  await userEvent.click(within(question).getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(session.signInAgain).toHaveBeenCalledOnce())
  expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual(['/iam/v2/account/logout'])
})

it('turns the page around by its text direction, and remembers it', async () => {
  open()
  const choice = within(await screen.findByRole('group', { name: 'Text direction' }))
  await userEvent.click(choice.getByRole('radio', { name: 'Right to left' }))
  expect(document.documentElement.dir).toBe('rtl')
  expect(localStorage.getItem('quayside.direction')).toBe('rtl')
  await userEvent.click(choice.getByRole('radio', { name: 'Left to right' }))
  expect(document.documentElement.dir).toBe('ltr')
})

it('draws tables as close as it is chosen', async () => {
  open()
  const table = await screen.findByRole('table', { name: 'Sessions' })
  const before = table.className
  await userEvent.click(
    within(screen.getByRole('group', { name: 'Table rows' })).getByRole('radio', { name: 'Compact' }),
  )
  expect(table.className).not.toBe(before)
})

it('shows that it loads, and why it could not be read', async () => {
  open(answer(account.account, never))
  expect((await screen.findByRole('status')).textContent).toBe('Loading')
  cleanup()
  const answers = [new Refusal(403, 'Your session has ended')]
  open(answer(account.account, () => answers.shift() ?? mara))
  const alert = await screen.findByRole('alert', { name: /^Profile: / })
  expect(alert.textContent).toContain('Your session has ended')
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('mara@example.org')).toBeDefined()
})

it('says that there is no session, and why they could not be read', async () => {
  open(answer(account.accountSessions, { data: [] }))
  expect(await screen.findByText('No sessions')).toBeDefined()
  cleanup()
  open(answer(account.accountSessions, new Refusal(500, 'The identity server is away')))
  expect((await screen.findByRole('alert', { name: /^Sessions: / })).textContent).toContain(
    'The identity server is away',
  )
})
