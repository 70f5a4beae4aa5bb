import { clientAdministration } from '@quayside/contract/clients/administration'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { firstOf, pageOf } from '../../testing/things.ts'
import { ClientsPage } from './clients-page.tsx'

const row = {
  ...({ id: 'c1', clientId: 'ledger', name: 'Ledger', description: 'Books', kind: 'other', enabled: true } as const),
  isPublic: false,
}
const detail = {
  ...{ ...row, keptBecause: null, opensPortal: false, consentRequired: true, fullScopeAllowed: false },
  ...{ redirectUris: [], webOrigins: [], defaultScopes: [], optionalScopes: [], mappers: [], serviceAccount: null },
  flows: { standard: true, implicit: false, password: false, serviceAccount: false },
}

function open(answers: Answers = {}, held = ['loginsettings.edit']) {
  const calls = serving({ ...answer(clientAdministration.findClients, firstOf(120, row)), ...answers })
  drawInPortal(<ClientsPage />, {
    at: '/users/service-accounts?tab=clients',
    more: { 'quayside-portal-ui-iam-loginsettings': held },
  })
  return calls
}

testListPage({
  open,
  list: clientAdministration.findClients,
  filled: pageOf(row),
  none: pageOf(),
  label: 'Clients',
  row: { Client: 'ledgerBooks', Name: 'Ledger', Kind: 'Application', State: /nabled/ },
  empty: 'No clients',
})

it('asks the server for what is searched, for a kind, an order and a page', async () => {
  const calls = open()
  const asked = () => decodeURIComponent(calls.at(-1)?.path ?? '')
  await screen.findByRole('rowheader')
  await userEvent.click(screen.getByRole('button', { name: 'Next' }))
  await waitFor(() => expect(asked()).toContain('page.skip=50'))
  await userEvent.click(screen.getByRole('button', { name: 'Kind Any' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Service account' }))
  await waitFor(() => expect(asked()).toContain('filters.kind=script'))
  expect(asked()).not.toContain('page.skip=50')
})

describe('a new application', () => {
  const fill = async () => {
    await screen.findByRole('rowheader')
    await userEvent.click(screen.getByRole('button', { name: 'Register application' }))
    await userEvent.type(await screen.findByLabelText(/^Client id/), 'ledger')
    await userEvent.type(screen.getByLabelText(/^Name/), 'Ledger')
    await userEvent.type(screen.getByLabelText(/^Addresses/), 'https://ledger.example.org/')
  }

  it('is sent as it was typed, and its secret shown once', async () => {
    const calls = open(answer(clientAdministration.createApplication, { client: detail, secret: 's3cret' }))
    await fill()
    await userEvent.click(screen.getByRole('button', { name: 'Register' }))
    expect((await screen.findByRole('dialog', { name: 'Secret of ledger' })).textContent).toContain('SECRET=s3cret')
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      ...{ clientId: 'ledger', name: 'Ledger', description: '', isPublic: false, consentRequired: true },
      ...{ redirectUris: ['https://ledger.example.org/'], webOrigins: [] },
    })
  })

  it('that is refused keeps what was typed', async () => {
    open(answer(clientAdministration.createApplication, new Refusal(409, 'There already')))
    await fill()
    await userEvent.click(screen.getByRole('button', { name: 'Register' }))
    expect((await screen.findByRole('alert', { name: /^Register application/ })).textContent).toContain('There already')
    expect(screen.getByLabelText<HTMLInputElement>(/^Client id/).value).toBe('ledger')
  })

  it('is for who may change how people sign in', async () => {
    open({}, [])
    await screen.findByRole('rowheader')
    expect(screen.getByRole('button', { name: 'Register application' }).getAttribute('aria-disabled')).toBe('true')
  })
})
