import { apps } from '@quayside/contract/apps/endpoints'
import { type CatalogVersionDetail, catalog } from '@quayside/contract/catalog/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { anApp, anItem, pageOf } from '../../testing/things.ts'
import { CatalogItemPage } from './catalog-item-page.tsx'

const item = { id: 'item1' }
const version: CatalogVersionDetail = {
  ...{
    id: 'version2',
    catalogItemId: 'item1',
    version: '1.1.0',
    appVersion: '4',
    sourceName: null,
    color: '#1f8a70',
    displayName: 'Tank levels',
  },
  ...{
    description: '',
    shortDescription: '',
    iconEmbedded: null,
    iconUri: null,
    resourceRoles: ['viewer'],
    kubeVersion: null,
  },
  ...{
    deprecated: false,
    sizeBytes: 1,
    digest: 'd',
    createdAt: '2026-01-01T00:00:00.000Z',
    readme: '# How it reads tanks',
  },
  ...{
    valuesYaml: 'tanks: 2\n',
    valuesSchema: null,
    dependencies: [],
    keywords: [],
    home: null,
    sources: [],
    maintainers: [],
  },
}

function open(answers: Answers = {}, { tab = '', roles = ['catalog.publish', 'catalog.deploy'] } = {}) {
  const calls = serving({
    ...answer(catalog.getItem, anItem(), item),
    ...answer(catalog.versionsOfItem, { data: [version] } as never, item),
    ...answer(catalog.getVersion, version, { id: 'version2' }),
    ...answer(permissions.myScopes, { data: [] }),
    ...answer(apps.listApps, pageOf(anApp())),
    ...answers,
  })
  const { router } = drawInPortal(<CatalogItemPage />, {
    route: 'catalog/apps/$itemId',
    at: `/catalog/apps/item1${tab && `?tab=${tab}`}`,
    roles,
  })
  return { calls, where: () => router.state.location.href }
}
const title = () => screen.findByRole('heading', { level: 1, name: 'Tank levels' })

it('shows the item with its readme and its tabs', async () => {
  open()
  await title()
  expect(screen.getByText('by Harbour Works')).toBeDefined()
  expect((await screen.findByText('Resource roles', { selector: 'dt' })).nextElementSibling?.textContent).toBe('viewer')
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'Readme',
    'Versions',
    'Values',
    'Deployed',
  ])
})

it('lists where it is deployed, by the server, and nothing that was only assigned', async () => {
  const { calls } = open({}, { tab: 'deployed' })
  const table = await screen.findByRole('table', { name: 'Deployed apps' })
  await within(table).findByRole('link', { name: 'Tank levels' })
  const lists = () => calls.map(({ path }) => path).filter((path) => path.startsWith(`${pathOf(apps.listApps)}?`))
  expect(lists()[0]).toContain('filters.catalogItemId=item1')
  expect(lists()[0]).toContain('healthy')
  expect(lists()[0]).not.toContain('assigned')
  await userEvent.click(within(table).getByRole('button', { name: 'App' }))
  await waitFor(() => expect(lists().at(-1)).toContain('sort.displayName=ASC'))
})

it('is deleted after a question', async () => {
  const { calls, where } = open(answer(catalog.deleteItem, undefined as never, item))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  const question = await screen.findByRole('dialog')
  expect(question.textContent).toContain('Delete Tank levels with all its versions')
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false)
  await userEvent.click(within(question).getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(where()).toBe('/catalog/apps'))
  expect(calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual(['/catalog/v2/items/item1'])
})

it('says why it is not deleted', async () => {
  open(answer(catalog.deleteItem, new Refusal(409, 'Apps are deployed from it'), item))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Confirm' }))
  expect((await screen.findByRole('dialog', { name: 'Not deleted' })).textContent).toContain(
    'Apps are deployed from it',
  )
})

it('is closed to who only looks on', async () => {
  open({}, { roles: ['catalog.view'] })
  await title()
  expect(screen.getByRole('button', { name: 'Delete' }).getAttribute('aria-disabled')).toBe('true')
  await waitFor(() => expect(screen.getByRole('button', { name: 'Deploy' }).getAttribute('aria-disabled')).toBe('true'))
})

it('shows that it loads', async () => {
  open(answer(catalog.getItem, never, item))
  expect(await screen.findByText('Loading')).toBeDefined()
})

it.each([
  [500, 'The database is away'],
  [403, 'You need the role catalog.view'],
])('says why it could not be read, and reads it again when asked: %i', async (status, reason) => {
  const answers = [new Refusal(status, reason)]
  open(answer(catalog.getItem, () => answers.shift() ?? anItem(), item))
  const alert = await screen.findByRole('alert', { name: /^Catalog Details: / })
  expect(alert.textContent).toContain(reason)
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  await title()
})
