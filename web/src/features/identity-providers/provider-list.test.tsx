import { groups } from '@quayside/contract/groups/endpoints'
import { type IdentityProvider, identityProviders } from '@quayside/contract/identity-providers/endpoints'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { IdentityProviders } from './provider-list.tsx'

const harbour: IdentityProvider = {
  ...{ id: 'harbour', name: 'Harbour ID', kind: 'oidc', enabled: true, issuer: 'https://id.example.org' },
  ...{ clientId: 'portal', hasSecret: true, scopes: [], trustEmail: false, linkOnly: false, order: null },
  ...{ redirectAddress: 'https://portal.example/broker/harbour/endpoint', logoutAddress: null },
}
const pier: IdentityProvider = { ...harbour, id: 'pier', name: 'Pier', kind: 'saml', enabled: false, issuer: null }
const redirectBase = 'https://portal.example/broker/'
const edits = { 'quayside-portal-ui-iam-loginsettings': ['loginsettings.view', 'loginsettings.edit'] }
const listed = (...data: IdentityProvider[]) => answer(identityProviders.listIdentityProviders, { data, redirectBase })

function open(answers: Answers = {}, more: Record<string, string[]> = edits) {
  const calls = serving({
    ...answer(groups.listGroups, {
      data: [{ id: 'g1', name: 'Crew', path: '/Crew', memberCount: 1, subGroups: [] }],
    }),
    ...listed(harbour, pier),
    ...answers,
  })
  drawInPortal(<IdentityProviders />, { more })
  return calls
}
const sent = (calls: ReturnType<typeof open>, method: string) => calls.filter((one) => one.method === method)
async function choose(name: string, entry: string) {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: entry }))
}

describe('the list', () => {
  testListPage({
    open,
    list: identityProviders.listIdentityProviders,
    filled: { data: [harbour], redirectBase },
    none: { data: [], redirectBase },
    label: 'Identity providers',
    row: { Provider: /Harbour ID/, Address: 'https://id.example.org', Kind: 'OpenID Connect', State: /enabled/i },
    empty: 'No identity providers',
  })

  it('switches one off, and gives the places in which they stand', async () => {
    const calls = open({
      ...answer(identityProviders.updateIdentityProvider, harbour, { id: 'harbour' }),
      ...answer(identityProviders.updateIdentityProvider, pier, { id: 'pier' }),
    })
    await choose('Harbour ID', 'Disable')
    await waitFor(() => expect(sent(calls, 'PUT').map(({ body }) => body)).toEqual([{ enabled: false }]))
    await choose('Pier', 'Move up')
    await waitFor(() =>
      expect(
        sent(calls, 'PUT')
          .slice(1)
          .map(({ path, body }) => [path.split('/').at(-1), body]),
      ).toEqual([
        ['pier', { order: 1 }],
        ['harbour', { order: 2 }],
      ]),
    )
  })

  it('says in plain words what a test has found', async () => {
    const reply = {
      ...{ issuer: '', authorizationAddress: '', tokenAddress: '', keysAddress: '' },
      ...{ userInfoAddress: null, logoutAddress: null },
    }
    const test = identityProviders.testIdentityProvider
    open(answer(test, { answer: reply, changed: ['tokenAddress'] }, { id: 'harbour' }))
    await choose('Harbour ID', 'Test')
    expect((await screen.findByRole('status')).textContent).toContain('has changed since it was added: the address for')
    cleanup()
    open(answer(test, new Refusal(409, 'Nobody answers there.'), { id: 'harbour' }))
    await choose('Harbour ID', 'Test')
    expect((await screen.findByRole('alert', { name: /^Test: / })).textContent).toContain('Nobody answers there.')
  })

  it('is closed for changes to who may only look', async () => {
    open({}, { 'quayside-portal-ui-iam-loginsettings': ['loginsettings.view'] })
    const button = await screen.findByRole('button', { name: 'Add provider' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
  })

  it('asks before one is deleted', async () => {
    const calls = open(answer(identityProviders.deleteIdentityProvider, undefined, { id: 'harbour' }))
    await choose('Harbour ID', 'Delete')
    const question = within(await screen.findByRole('dialog', { name: 'Delete Harbour ID' }))
    expect(sent(calls, 'DELETE')).toEqual([])
    await userEvent.click(question.getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(sent(calls, 'DELETE')).toHaveLength(1))
  })
})

describe('a new provider', () => {
  const fill = async (dialog: ReturnType<typeof within>) => {
    await userEvent.type(dialog.getByLabelText(/^Name/), 'Harbour ID')
    await userEvent.type(dialog.getByLabelText(/^Address/), 'https://id.example.org')
    await userEvent.type(dialog.getByLabelText(/^Client id/), 'portal')
    await userEvent.type(dialog.getByLabelText(/^Client secret/), 'word')
  }
  const openDialog = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Add provider' }))
    return within(await screen.findByRole('dialog', { name: 'Add provider' }))
  }

  it('is added with an id from its name, and shows the address to register', async () => {
    const calls = open(answer(identityProviders.createIdentityProvider, harbour))
    const dialog = await openDialog()
    await fill(dialog)
    expect(dialog.getByLabelText<HTMLInputElement>('Redirect address').value).toBe(`${redirectBase}harbour-id/endpoint`)
    await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
    await waitFor(() => expect(sent(calls, 'POST')).toHaveLength(1))
    expect(sent(calls, 'POST')[0]?.body).toEqual({
      ...{ id: 'harbour-id', name: 'Harbour ID', address: 'https://id.example.org', clientId: 'portal' },
      ...{ clientSecret: 'word', scopes: [], trustEmail: false, linkOnly: false },
    })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('says at the address what answered there', async () => {
    const found = {
      ...{ issuer: 'https://id.example.org', authorizationAddress: 'https://login.example.org/auth' },
      ...{ tokenAddress: 'https://id.example.org/t', keysAddress: 'https://id.example.org/k' },
      ...{ userInfoAddress: null, logoutAddress: null },
    }
    open(answer(identityProviders.discoverIdentityProvider, found))
    const dialog = await openDialog()
    await userEvent.type(dialog.getByLabelText(/^Address/), 'https://id.example.org')
    await userEvent.click(dialog.getByRole('button', { name: 'Test' }))
    expect(await dialog.findByText(/It answers. People sign in at/)).toBeDefined()
    cleanup()
    const silent = Object.assign(new Refusal(409, 'Nobody answers there.'), { field: 'address' })
    open(answer(identityProviders.discoverIdentityProvider, silent as never))
    const again = await openDialog()
    await userEvent.type(again.getByLabelText(/^Address/), 'https://id.example.org')
    await userEvent.click(again.getByRole('button', { name: 'Test' }))
    expect(await again.findByText('Nobody answers there.')).toBeDefined()
  })
})

describe('mappings', () => {
  it('lead claims to groups, and say which groups are gone', async () => {
    const mapping = { id: 'm1', name: 'one', kind: 'group' as const, claim: 'team', value: 'crew', attribute: null }
    const calls = open({
      ...answer(identityProviders.listMappings, { data: [{ ...mapping, group: null }] }, { id: 'harbour' }),
      ...answer(
        identityProviders.createMapping,
        { ...mapping, group: { id: 'g1', name: 'Crew', path: '/Crew' } },
        { id: 'harbour' },
      ),
    })
    await choose('Harbour ID', 'Groups and attributes')
    expect(await screen.findByText('A group that is gone')).toBeDefined()
    await userEvent.type(screen.getByLabelText('Claim'), 'team')
    await userEvent.click(screen.getByRole('radio', { name: /A name, the address/ }))
    await userEvent.type(screen.getByLabelText('Attribute'), 'crew')
    await userEvent.click(screen.getByRole('button', { name: 'Add mapping' }))
    await waitFor(() =>
      expect(sent(calls, 'POST').map(({ body }) => body)).toEqual([
        { kind: 'attribute', claim: 'team', attribute: 'crew' },
      ]),
    )
  })
})

describe('a provider', () => {
  it('is edited without its secret, and one of SAML by its name alone', async () => {
    const calls = open({
      ...answer(identityProviders.updateIdentityProvider, harbour, { id: 'harbour' }),
      ...answer(identityProviders.updateIdentityProvider, pier, { id: 'pier' }),
    })
    await choose('Harbour ID', 'Edit')
    await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
    const whole = { name: 'Harbour ID', scopes: [], trustEmail: false, linkOnly: false }
    await waitFor(() => expect(sent(calls, 'PUT').map(({ body }) => body)).toEqual([whole]))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await choose('Pier', 'Edit')
    expect(screen.queryByLabelText('Client secret')).toBeNull()
    await userEvent.click(await screen.findByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent(calls, 'PUT').at(-1)?.body).toEqual({ name: 'Pier' }))
  })
})
