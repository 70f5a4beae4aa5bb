import { type Client, clients } from '@quayside/contract/clients/endpoints'
import { roles } from '@quayside/contract/roles/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { ClientsPage } from './clients-page.tsx'

const client = (clientId: string, more: Partial<Client> = {}): Client => ({
  ...{ id: `id-${clientId}`, clientId, name: clientId, description: 'Deploys at night', enabled: true },
  ...{ serviceAccount: true, roles: ['quayside-operator'] },
  ...more,
})
const made = { ...client('nightly'), secret: 's3cret', tokenUrl: 'https://id.example.org/token' }
const ofRealm = ['quayside-operator', 'offline_access'].map((name) => ({
  id: name,
  name,
  description: '',
  composite: true,
}))

function open(answers: Answers = {}, held = ['users.create', 'users.delete']) {
  const calls = serving({
    ...answer(clients.listClients, { data: [client('nightly'), client('portal', { serviceAccount: false })] }),
    ...answer(roles.listRoles, { data: ofRealm }),
    ...answers,
  })
  drawInPortal(<ClientsPage />, { more: { 'quayside-portal-ui-iam-users': held } })
  const sent = (method: string) => calls.filter((call) => call.method === method)
  const read = () => calls.filter(({ method, path }) => method === 'GET' && path === '/iam/v2/clients').length
  return { sent, read }
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

testListPage({
  open,
  list: clients.listClients,
  filled: { data: [client('nightly'), client('portal', { serviceAccount: false })] },
  none: { data: [] },
  label: 'Service accounts',
  row: { Client: 'nightlyDeploys at night', Roles: 'quayside-operator' },
  empty: 'No service accounts',
})

describe('a new one', () => {
  async function dialog(answers: Answers = {}) {
    const calls = open({ ...answer(clients.createClient, made), ...answers })
    await screen.findByRole('rowheader')
    await userEvent.click(button('New service account'))
    await screen.findByRole('checkbox', { name: 'quayside-operator' })
    return calls
  }

  it('is asked for with a name and a role, and sent as it was typed', async () => {
    const { sent, read } = await dialog()
    const before = read()
    expect(screen.queryByRole('checkbox', { name: 'offline_access' })).toBeNull()
    expect(button('Create').disabled).toBe(true)
    await userEvent.type(screen.getByLabelText(/^Client id/), ' nightly ')
    expect(button('Create').disabled).toBe(true)
    await userEvent.click(screen.getByRole('checkbox', { name: 'quayside-operator' }))
    expect(button('Create').disabled).toBe(false)
    await userEvent.type(screen.getByLabelText('Description'), 'Deploys')
    await userEvent.click(button('Create'))
    expect(await screen.findByRole('dialog', { name: 'nightly can sign in' })).toBeDefined()
    expect(sent('POST').map(({ path, body }) => [path, body])).toEqual([
      ['/iam/v2/clients', { clientId: 'nightly', description: 'Deploys', realmRoles: ['quayside-operator'] }],
    ])
    expect(screen.getByRole('dialog').textContent).toContain('SECRET=s3cret')
    await waitFor(() => expect(read()).toBe(before + 1))
    await userEvent.click(button('Done'))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('that is refused keeps what was typed', async () => {
    await dialog(answer(clients.createClient, new Refusal(409, 'This client is there already')))
    await userEvent.type(screen.getByLabelText(/^Client id/), 'nightly')
    await userEvent.click(screen.getByRole('checkbox', { name: 'quayside-operator' }))
    await userEvent.click(button('Create'))
    expect((await screen.findByRole('alert', { name: /^New service account: / })).textContent).toContain(
      'This client is there already',
    )
    expect(screen.getByLabelText<HTMLInputElement>(/^Client id/).value).toBe('nightly')
  })
})

it('is deleted after a question, and the list is read again', async () => {
  const { sent, read } = open(answer(clients.deleteClient, undefined))
  await screen.findByRole('rowheader')
  const before = read()
  await userEvent.click(button('Actions for nightly'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  const question = await screen.findByRole('dialog')
  expect(question.textContent).toContain('Delete nightly?')
  expect(sent('DELETE')).toEqual([])
  await userEvent.click(within(question).getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(sent('DELETE').map(({ path }) => path)).toEqual(['/iam/v2/clients/id-nightly']))
  await waitFor(() => expect(read()).toBe(before + 1))
})

it('is closed to who only looks on, and says so', async () => {
  open({}, [])
  await screen.findByRole('rowheader')
  expect(button('New service account').getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(button('New service account'))
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.click(button('Actions for nightly'))
  expect((await screen.findByRole('menuitem', { name: 'Delete' })).getAttribute('aria-disabled')).toBe('true')
})
