import { catalog } from '@quayside/contract/catalog/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { type Answers, answer, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { anItem, firstOf, pageOf } from '../../testing/things.ts'
import { CatalogPage } from './catalog-page.tsx'

function Opened() {
  const { request } = useWizards()
  return <output aria-label="wizard">{JSON.stringify(request ?? null)}</output>
}

function open(answers: Answers = {}, { at = '/', roles = ['catalog.view', 'catalog.publish', 'catalog.deploy'] } = {}) {
  const calls = serving({
    ...answer(catalog.listItems, pageOf(anItem())),
    ...answer(catalog.listManufacturers, pageOf({ id: 'm1', name: 'Harbour Works', itemCount: 1 })),
    ...answer(permissions.myScopes, { data: [] }),
    ...answers,
  })
  drawInPortal(
    <>
      <CatalogPage />
      <Opened />
    </>,
    { at, roles },
  )
  // The list of categories asks for a thousand at once.
  const lists = () =>
    calls
      .map(({ path }) => path)
      .filter((path) => path.startsWith(`${pathOf(catalog.listItems)}?`) && !path.includes('page.limit=1000'))
  return { calls, lists }
}
const card = () => screen.findByRole('article', { name: 'Tank levels' })

it('shows each item with its maker, version, kind and use', async () => {
  open()
  const shown = within(await card())
  expect(shown.getByRole('link', { name: 'Tank levels' }).getAttribute('href')).toBe('/catalog/apps/item1')
  for (const text of ['by Harbour Works', 'Tanks', '1.1.0', 'Industry', '5 deployed'])
    expect(shown.getByText(text)).toBeDefined()
})

it('counts all items and leads to the next page of them', async () => {
  const { lists } = open(answer(catalog.listItems, firstOf(120, anItem())))
  await card()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Catalog apps 120')
  await userEvent.click(within(screen.getByRole('navigation', { name: 'Pages' })).getByRole('button', { name: 'Next' }))
  await waitFor(() => expect(lists().at(-1)).toContain('page.skip=50'))
})

it('asks the server for what the address filters by', async () => {
  const { lists } = open({}, { at: '/?q=tank&featured=true&type=Legacy&category=Industry&manufacturer=Harbour' })
  await card()
  for (const part of ['search=tank', 'filters.featured=true', 'filters.appType=Legacy', 'filters.category=Industry'])
    expect(lists()[0]).toContain(part)
  await userEvent.click(screen.getByRole('button', { name: 'Featured' }))
  await waitFor(() => expect(lists().at(-1)).not.toContain('featured'))
})

it('deploys into the space that the address carries', async () => {
  open({}, { at: '/?space=8kx2m4a' })
  await userEvent.click(within(await card()).getByRole('button', { name: 'Deploy Tank levels' }))
  await waitFor(() =>
    expect(JSON.parse(screen.getByRole('status', { name: 'wizard' }).textContent ?? '')).toEqual({
      ...{ kind: 'install', versionId: 'version2', spaceId: '8kx2m4a' },
    }),
  )
})

it('features an item and reads the list again', async () => {
  const { calls, lists } = open(answer(catalog.setFeatured, anItem({ featured: true })))
  const before = lists().length
  await userEvent.click(within(await card()).getByRole('button', { name: 'Feature Tank levels' }))
  await waitFor(() => expect(lists().length).toBeGreaterThan(before + 1))
  expect(calls.filter(({ method }) => method === 'PATCH').map(({ path }) => path)).toEqual([
    '/catalog/v2/items/item1/featured/true',
  ])
})

it('is closed to who only looks on', async () => {
  open({}, { roles: ['catalog.view'] })
  const shown = within(await card())
  expect(screen.getByRole('button', { name: 'Upload package' }).getAttribute('aria-disabled')).toBe('true')
  await waitFor(() =>
    expect(shown.getByRole('button', { name: 'Deploy Tank levels' }).getAttribute('aria-disabled')).toBe('true'),
  )
  expect(shown.getByRole('button', { name: /^Feature/ }).getAttribute('aria-disabled')).toBe('true')
})

it('says that there is nothing, and that nothing matches', async () => {
  open(answer(catalog.listItems, pageOf()))
  expect(await screen.findByText('The catalog is empty')).toBeDefined()
  cleanup()
  open(answer(catalog.listItems, pageOf()), { at: '/?q=zzz' })
  await userEvent.click(await screen.findByRole('button', { name: 'Clear search and filters' }))
  expect(await screen.findByText('The catalog is empty')).toBeDefined()
})

it('is busy until the items are there', async () => {
  open(answer(catalog.listItems, never))
  const page = await screen.findByRole('region', { name: 'Catalog apps' })
  expect(page.querySelector('[aria-busy=true]')).not.toBeNull()
})

it.each([
  [500, 'The database is away'],
  [403, 'You need the role catalog.view'],
])('says why it could not be read, and reads it again when asked: %i', async (status, reason) => {
  let isAway = true
  open(answer(catalog.listItems, () => (isAway ? new Refusal(status, reason) : pageOf(anItem()))))
  const alert = await screen.findByRole('alert', { name: /^Catalog: / })
  expect(alert.textContent).toContain(reason)
  isAway = false
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  expect(await card()).toBeDefined()
})

it('says which items a source brought and what is new, and shows those of one source', async () => {
  const item = anItem({ source: { id: 'source1', name: 'Harbour charts' }, newVersionAt: '2026-01-01T00:00:00.000Z' })
  const { lists } = open(answer(catalog.listItems, pageOf(item)), { at: '/?source=source1' })
  const shown = within(await card())
  expect(shown.getByText('by Harbour Works · from Harbour charts')).toBeDefined()
  expect(shown.getByText('New version')).toBeDefined()
  expect(lists()[0]).toContain('filters.source=source1')
  await userEvent.click(screen.getByRole('button', { name: 'From Harbour charts' }))
  await waitFor(() => expect(lists().at(-1)).not.toContain('filters.source'))
})
