import { type CatalogSource, catalogSources } from '@quayside/contract/catalog/sources'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { testListPage } from '../../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../../testing/portal.tsx'
import { SourceList } from './source-list.tsx'
import { aRun, aSource } from './testing/a-source.ts'

const listed = (...data: CatalogSource[]) => ({ data })

function open(answers: Answers = {}, { at = '/', roles = ['catalog.view', 'catalog.publish'] } = {}) {
  const calls = serving({
    ...answer(catalogSources.listSources, listed(aSource())),
    ...answer(permissions.myScopes, { data: [] }),
    ...answers,
  })
  const { router } = drawInPortal(<SourceList />, { at, roles })
  const sent = () =>
    calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body])
  return { sent, where: () => router.state.location.href }
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const field = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name)
const chosen = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Harbour charts' }))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}

testListPage({
  open,
  list: catalogSources.listSources,
  filled: listed(aSource()),
  none: listed(),
  label: 'Catalog sources',
  row: {
    ...{ Name: 'Harbour charts', Kind: 'Helm repository', Address: 'https://charts.harbour.example', Charts: '3' },
    ...{ 'Last synchronisation': /^Done/, 'Next run': 'Manual' },
  },
  empty: 'No sources yet',
})

it('says how far a run is', async () => {
  const lastRun = aRun({ state: 'running', endedAt: null, total: 8, done: 3, current: 'tank 1.2.0', message: '' })
  open(answer(catalogSources.listSources, listed(aSource({ lastRun }))))
  expect(await screen.findByText('3 of 8 processed, fetching tank 1.2.0')).toBeDefined()
})

it('finds a source by its address, and says when none is found', async () => {
  open({}, { at: '/?q=harbour.example' })
  expect(await screen.findByRole('rowheader')).toBeDefined()
  cleanup()
  const { where } = open({}, { at: '/?q=zzz' })
  await userEvent.click(await screen.findByRole('button', { name: 'Clear search' }))
  await waitFor(() => expect(where()).toBe('/'))
})

it('adds a source after it was tried', async () => {
  const look = {
    message: 'It answers.',
    notes: ['old: no'],
    chartCount: 1,
    versionCount: 2,
    charts: [{ name: 'tank', versions: ['1.1.0', '1.0.0'] }],
  }
  const { sent } = open({
    ...answer(catalogSources.testSource, look),
    ...answer(catalogSources.addSource, aSource({ id: 'source2' })),
  })
  await screen.findByRole('rowheader')
  await userEvent.click(button('Add source'))
  await screen.findByRole('dialog', { name: 'Add source' })
  await userEvent.click(button('Test'))
  expect(await screen.findByText('Address required')).toBeDefined()
  expect(sent()).toEqual([])
  await userEvent.type(field(/^Address/), 'https://charts.example.org')
  await userEvent.selectOptions(field(/^Sign-in/), 'password')
  await userEvent.type(field(/^User name/), 'noor')
  await userEvent.type(field(/^Password/), 'pass-word')
  await userEvent.type(field(/^Charts/), 'tank-*,')
  await userEvent.click(button('Test'))
  const answered = await screen.findByText('It answers.')
  expect(answered.parentElement?.textContent).toContain('tank: 1.1.0, 1.0.0')
  expect(answered.parentElement?.textContent).toContain('old: no')
  await userEvent.type(field(/^Name/), 'Charts')
  const dialog = within(screen.getByRole('dialog', { name: 'Add source' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Add source' }))
  const input = {
    ...{
      kind: 'helm',
      address: 'https://charts.example.org',
      signIn: 'password',
      username: 'noor',
      secret: 'pass-word',
    },
    ...{ charts: ['tank-*'], versions: 5, prereleases: false, addsToUploads: false, everyHours: 24 },
  }
  await waitFor(() =>
    expect(sent()).toEqual([
      ['POST', '/catalog/v1/sources/test', input],
      ['POST', '/catalog/v1/sources', { name: 'Charts', ...input }],
    ]),
  )
})

it('keeps what was typed, and says at its field why a source is refused', async () => {
  const refusal = new Refusal(409, 'Nobody answers at charts.example.org.', 'catalog.source-silent')
  open(answer(catalogSources.testSource, refusal))
  await screen.findByRole('rowheader')
  await userEvent.click(button('Add source'))
  await userEvent.type(field(/^Address/), 'https://charts.example.org')
  await userEvent.click(button('Test'))
  expect(await screen.findByText(/Nobody answers at charts\.example\.org\./)).toBeDefined()
  expect(field(/^Address/).value).toBe('https://charts.example.org')
})

it('changes a source without its secret', async () => {
  const { sent } = open(answer(catalogSources.changeSource, aSource()))
  await chosen('Edit')
  expect(field(/^Password/).value).toBe('')
  await userEvent.clear(field(/^Name/))
  await userEvent.type(field(/^Name/), 'Renamed')
  await userEvent.click(button('Save'))
  await waitFor(() => expect(sent()[0]?.slice(0, 2)).toEqual(['PUT', '/catalog/v1/sources/source1']))
  expect(sent()[0]?.[2]).toMatchObject({ name: 'Renamed', signIn: 'password', username: 'mara' })
  expect(sent()[0]?.[2]).not.toHaveProperty('secret')
})

it('synchronises now, and says why when it cannot', async () => {
  const { sent } = open(
    answer(catalogSources.synchroniseSource, new Refusal(404, 'This catalog source does not exist.')),
  )
  await chosen('Synchronise now')
  expect(sent()).toEqual([['POST', '/catalog/v1/sources/source1/synchronise', undefined]])
  const told = await screen.findByRole('dialog', { name: 'Not synchronised' })
  expect(told.textContent).toContain('This catalog source does not exist.')
})

it.each([
  ['Keep all items', 'keep'],
  ['Delete items that', 'delete'],
])('asks what becomes of the items of a source that is deleted: %s', async (words, items) => {
  const { sent } = open(answer(catalogSources.deleteSource, { deletedItems: 0, keptItems: 3 }))
  await chosen('Delete')
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete source' }))
  await userEvent.click(dialog.getByRole('radio', { name: new RegExp(`^${words}`) }))
  await userEvent.click(dialog.getByRole('button', { name: 'Delete source' }))
  await waitFor(() => expect(sent()).toEqual([['DELETE', `/catalog/v1/sources/source1?items=${items}`, undefined]]))
})

it('is closed to who only looks on', async () => {
  const { sent } = open({}, { roles: ['catalog.view'] })
  await screen.findByRole('rowheader')
  expect(button('Add source').getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Harbour charts' }))
  for (const name of ['Synchronise now', 'Edit', 'Delete'])
    expect(screen.getByRole('menuitem', { name }).getAttribute('aria-disabled')).toBe('true')
  expect(sent()).toEqual([])
})
