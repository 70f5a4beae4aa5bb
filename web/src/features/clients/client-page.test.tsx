import { type ClientDetail, clientAdministration } from '@quayside/contract/clients/administration'
import { clients } from '@quayside/contract/clients/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { pageOf } from '../../testing/things.ts'
import { ClientPage } from './client-page.tsx'

const ledger: ClientDetail = {
  ...{ id: 'c1', clientId: 'ledger', name: 'Ledger', description: 'Books', kind: 'other', enabled: true },
  ...{ isPublic: false, keptBecause: null, opensPortal: false, consentRequired: true, fullScopeAllowed: false },
  ...{ redirectUris: ['https://ledger.example.org/in'], webOrigins: [], defaultScopes: ['email'], optionalScopes: [] },
  flows: { standard: true, implicit: false, password: false, serviceAccount: false },
  mappers: [{ name: 'team', kind: 'oidc-usermodel-attribute-mapper', writes: 'team' }],
  serviceAccount: null,
}
const at = { id: 'c1' }
const session = {
  ...{ id: 's1', ipAddress: '192.0.2.7', startedAt: '2026-01-01T00:00:00Z', lastAccessAt: '2026-01-01T01:00:00Z' },
  user: { id: 'u1', username: 'zoe' },
}

function open(client: Partial<ClientDetail> = {}, answers: Answers = {}, tab = '', edits = true) {
  const calls = serving({
    ...answer(clientAdministration.getClientDetail, { ...ledger, ...client }, at),
    ...answer(clientAdministration.findClientSessions, pageOf(session), at),
    ...answers,
  })
  const drawn = <ClientPage roles={() => <p>the roles</p>} accountRoles={({ username }) => <p>{username}</p>} />
  drawInPortal(drawn, {
    ...{ at: `/users/clients/c1${tab && `?tab=${tab}`}`, route: 'users/clients/$clientId' },
    more: {
      'quayside-portal-ui-iam-users': [
        ...['users.credentials.manage', 'users.sessions.view', 'users.roles.view', 'users.delete'],
      ],
      'quayside-portal-ui-iam-loginsettings': edits ? ['loginsettings.edit'] : [],
    },
  })
  return () => calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body])
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const sure = async (title: string) => {
  const question = await screen.findByRole('dialog', { name: title })
  await userEvent.click(within(question).getByRole('button', { name: 'Confirm' }))
}

it('sends addresses line by line, and nothing as long as one is none', async () => {
  const sent = open({}, answer(clientAdministration.updateClient, ledger, at))
  const field = await screen.findByLabelText('Addresses to come back to')
  await userEvent.type(field, '\n*')
  expect(screen.getByText(/^\*: an address such as/)).toBeDefined()
  expect(button('Save').disabled).toBe(true)
  await userEvent.type(field, '{Backspace}org.example.ledger:/in')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Ask people for their consent' }))
  await userEvent.click(button('Save'))
  const redirectUris = ['https://ledger.example.org/in', 'org.example.ledger:/in']
  await waitFor(() => expect(sent()).toEqual([['PUT', '/iam/v3/clients/c1', { redirectUris, consentRequired: false }]]))
})

it('keeps what was typed when it is refused', async () => {
  open({}, answer(clientAdministration.updateClient, new Refusal(409, 'Not now.'), at))
  await userEvent.type(await screen.findByLabelText('Name'), ' two')
  await userEvent.click(button('Save'))
  expect((await screen.findByRole('alert', { name: /^Save/ })).textContent).toContain('Not now.')
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('Ledger two')
})

it('leaves the portal’s own alone, and says why', async () => {
  open({ kind: 'portal', keptBecause: 'People sign in to the portal with ledger: it stays as it is.' })
  expect(await screen.findByText(/it stays as it is/)).toBeDefined()
  expect(screen.getByLabelText<HTMLInputElement>('Name').disabled).toBe(true)
  for (const name of ['Save', 'Disable', 'New secret', 'Delete'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

it('does not say where tokens that open the portal go', async () => {
  open({ opensPortal: true })
  expect((await screen.findByLabelText<HTMLTextAreaElement>('Addresses to come back to')).disabled).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('Name').disabled).toBe(false)
})

it('shows a new secret once, after a question', async () => {
  const renewed = answer(clientAdministration.renewSecret, { clientId: 'ledger', secret: 's3cret' }, at)
  const sent = open({}, renewed)
  await screen.findByLabelText('Name')
  await userEvent.click(button('New secret'))
  expect(sent()).toEqual([])
  await sure('New secret')
  expect((await screen.findByRole('dialog', { name: 'Secret of ledger' })).textContent).toContain('SECRET=s3cret')
  await userEvent.click(button('Done'))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent()).toEqual([['POST', '/iam/v3/clients/c1/secret', undefined]])
})

it('is disabled and deleted after a question; a script is deleted as one', async () => {
  const sent = open(
    { kind: 'script', serviceAccount: { id: 'u9', username: 'service-account-ledger' } },
    {
      ...answer(clientAdministration.updateClient, ledger, at),
      ...answer(clients.deleteClient, undefined, at),
    },
  )
  await screen.findByLabelText('Name')
  await userEvent.click(button('Disable'))
  await sure('Disable')
  await waitFor(() => expect(sent()).toEqual([['PUT', '/iam/v3/clients/c1', { enabled: false }]]))
  await userEvent.click(button('Delete'))
  await sure('Delete client')
  await waitFor(() => expect(sent().at(-1)).toEqual(['DELETE', '/iam/v2/clients/c1', undefined]))
})

it('is closed to who only looks on', async () => {
  open({}, {}, '', false)
  await screen.findByLabelText('Name')
  for (const name of ['Disable', 'Delete', 'Save']) expect(button(name).getAttribute('aria-disabled')).toBe('true')
})

it('tells what its tokens carry, and who is signed in', async () => {
  open({}, {}, 'tokens')
  expect(await screen.findByText('Those that its scopes name, and no other')).toBeDefined()
  expect(screen.getByRole('rowheader', { name: 'team' })).toBeDefined()
  await userEvent.click(screen.getByRole('tab', { name: 'Sessions' }))
  expect(await screen.findByRole('link', { name: 'zoe' })).toBeDefined()
  expect(screen.queryByRole('tab', { name: 'Service account' })).toBeNull()
})

it('says that it is not there', async () => {
  open({}, answer(clientAdministration.getClientDetail, new Refusal(404, 'This client does not exist.'), at))
  expect(await screen.findByText('This client does not exist')).toBeDefined()
})
