import type { UiConfig } from '@quayside/contract/http/ui-config'
import { expect, it } from 'vitest'
import type { AccessToken } from '../lib/access-token.ts'
import { navigationFor } from './navigation.ts'

const config = (flags: UiConfig['flags'] = { accesssection: true, nodescatalog: true }): UiConfig => ({
  product: 'quayside',
  build: 'v5.7.0',
  tenant: { id: 't', identifier: 't', realm: 'demo', displayName: 'Demo' },
  oidc: { authority: '', clientId: 'quayside-portal-ui', scope: '', clients: {} },
  flags,
  activity: { enabled: false, app: '', version: '', environment: '' },
})

const holding = (...clients: string[]): AccessToken => ({
  userId: 'u',
  expiryTimestamp: 0,
  email: '',
  username: '',
  firstName: '',
  lastName: '',
  homescreen: '',
  currency: '',
  realmAccess: [],
  resourceAccess: Object.fromEntries(clients.map((name) => [`quayside-portal-ui-${name}`, [{ name: 'access' }]])),
})

const names = (token: AccessToken, flags?: UiConfig['flags']) =>
  navigationFor(config(flags), token).map(({ title, entries }) => [title, ...entries.map(({ name }) => name)])

it('shows Home alone to someone without any role', () => {
  expect(names(holding())).toEqual([['', 'Home']])
})

it('shows an entry for the role access on its own client only', () => {
  expect(names(holding('apps', 'catalog-apps', 'iam-users'))).toEqual([
    ['', 'Home'],
    ['MANAGE', 'Apps'],
    ['CATALOG', 'Apps'],
    ['IDENTITY & ACCESS', 'Users'],
  ])
})

it('hides identity and access when its flag is off', () => {
  expect(names(holding('iam-users'), { accesssection: 'false' })).toEqual([['', 'Home']])
})

it('shows sections without a page as disabled', () => {
  const [, manage, catalog] = navigationFor(config(), holding('spaces', 'dashboards', 'catalog-nodes'))
  const shown = [...(manage?.entries ?? []), ...(catalog?.entries ?? [])]
  expect(shown.map(({ name, disable }) => [name, disable])).toEqual([
    ['Spaces', false],
    ['Dashboards', false],
    ['Nodes', true],
  ])
})
