import { currency } from '@quayside/contract/account/currency'
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
    ...answer(account.accountCredentials, { data: [{ id: 'c1', type: 'password', label: null, createdAt: at }] }),
    ...answer(account.activities, {
      kept: true,
      data: [
        { at, type: 'LOGIN', ipAddress: '192.0.2.7', client: 'quayside-portal-ui', error: null },
        { at, type: 'LOGIN_ERROR', ipAddress: '192.0.2.9', client: null, error: 'invalid_user_credentials' },
      ],
    }),
    ...answer(account.linkedIdentities, { data: [{ id: 'harbour', name: 'Harbour ID', username: 'mara.k' }] }),
    ...answer(currency.getCurrency, { currency: 'EUR' }),
    ...answer(account.accountConsents, { data: [{ clientId: 'wiki', scopes: ['email'], grantedAt: at }] }),
    ...answers,
  })
  const { session } = drawInPortal(
    <AccountPage
      kubeconfigs={<p>Kubeconfigs of mine</p>}
      tokens={<p>Tokens of mine</p>}
      subscriptions={<p>News for me</p>}
    />,
  )
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
  expect(screen.getByText('Tokens of mine')).toBeDefined()
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

it('changes the profile in what was typed, and shows it at once', async () => {
  const { calls } = open(answer(account.updateAccount, { ...mara, lastName: 'Koch' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit profile' }))
  await userEvent.clear(dialog.getByLabelText('Last name'))
  await userEvent.type(dialog.getByLabelText('Last name'), 'Koch')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Mara Koch'))
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ lastName: 'Koch' })
})

it.each([
  ['Change password', account.resetMyPassword],
  ['Change e-mail address', account.changeEmail],
  ['Set up a second factor', account.setUpSecondFactor],
  ['Set up a passkey', account.setUpPasskey],
])('%s: asks, and goes to the sign-in', async (name, endpoint) => {
  const { calls, session } = open(answer(endpoint, undefined))
  await userEvent.click(await screen.findByRole('button', { name }))
  const question = within(await screen.findByRole('dialog', { name }))
  expect(calls.some(({ method }) => method !== 'GET')).toBe(false)
  await userEvent.click(question.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(session.signInAgain).toHaveBeenCalledOnce())
})

it('removes a passkey after a question, and offers it for nothing else', async () => {
  const createdAt = '2026-01-01T10:00:00Z'
  const data = [
    { id: 'p', type: 'password', label: null, createdAt },
    { id: 'k', type: 'webauthn-passwordless', label: 'Laptop', createdAt },
  ]
  const { calls } = open({
    ...answer(account.accountCredentials, { data }),
    ...answer(account.removePasskey, undefined, { id: 'k' }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Remove Laptop' }))
  const question = within(await screen.findByRole('dialog', { name: 'Remove passkey' }))
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false)
  expect(screen.getAllByRole('button', { name: /^Remove /, hidden: true })).toHaveLength(1)
  await userEvent.click(question.getByRole('button', { name: 'Confirm' }))
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'DELETE')?.path).toBe('/iam/v3/account/credentials/k'),
  )
})

it('ends one session, and never this one', async () => {
  const { calls } = open(answer(account.endSession, undefined, { id: 's2' }))
  await screen.findByText('Unknown address')
  expect(screen.queryByRole('button', { name: 'Actions for 192.0.2.7' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Unknown address' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
  await waitFor(() => expect(calls.find(({ method }) => method === 'DELETE')?.path).toBe('/iam/v3/account/sessions/s2'))
})

it('shows what happened with the account, or that nobody keeps it', async () => {
  open()
  const table = await screen.findByRole('table', { name: 'Activities' })
  await within(table).findByText('Signed in')
  expect(within(table).getByText('Sign-in failed').closest('tr')?.textContent).toContain('invalid_user_credentials')
  cleanup()
  open(answer(account.activities, { kept: false, data: [] }))
  expect(await screen.findByText('Activities are not kept')).toBeDefined()
})

it('takes a consent back after a question', async () => {
  const { calls } = open(answer(account.revokeConsent, undefined, { id: 'wiki' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for wiki' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Revoke' }))
  const question = within(await screen.findByRole('dialog', { name: 'Revoke consent' }))
  await userEvent.click(question.getByRole('button', { name: 'Confirm' }))
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'DELETE')?.path).toBe('/iam/v2/account/consent/wiki'),
  )
})

it('shows a few activities, and all of them when asked', async () => {
  const one = { type: 'LOGIN', ipAddress: null, client: null, error: null }
  const data = Array.from({ length: 12 }, (_, day) => ({ ...one, at: `2026-01-${10 + day}T00:00:00.000Z` }))
  open(answer(account.activities, { kept: true, data }))
  const table = await screen.findByRole('table', { name: 'Activities' })
  await waitFor(() => expect(within(table).getAllByText('Signed in')).toHaveLength(10))
  await userEvent.click(screen.getByRole('button', { name: 'Show all 12' }))
  expect(within(table).getAllByText('Signed in')).toHaveLength(12)
})

it('shows the currency that was chosen, and keeps another one', async () => {
  const { calls } = open(answer(currency.setCurrency, { currency: 'CHF' }))
  const field = (await screen.findByRole('combobox', { name: 'Currency' })) as HTMLSelectElement
  expect(field.value).toBe('EUR')
  await userEvent.selectOptions(field, 'Swiss Franc (CHF)')
  await waitFor(() => expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ currency: 'CHF' }))
  await waitFor(() => expect(field.value).toBe('CHF'))
})

it('shows linked accounts, unlinks one after a question, and says why it cannot', async () => {
  const { calls } = open(answer(account.unlinkIdentity, new Refusal(409, 'Set a password first.'), { id: 'harbour' }))
  await screen.findByText('mara.k')
  await userEvent.click(screen.getByRole('button', { name: 'Unlink' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Confirm' }))
  expect((await screen.findByRole('alert', { name: /^Unlink: / })).textContent).toContain('Set a password first.')
  expect(calls.some(({ method, path }) => method === 'DELETE' && path.endsWith('/account/identities/harbour'))).toBe(
    true,
  )
})

it('says nothing of linked accounts where there are none', async () => {
  open(answer(account.linkedIdentities, { data: [] }))
  await screen.findByText('mara@example.org')
  await waitFor(() => expect(screen.queryByText('Linked accounts')).toBeNull())
})
