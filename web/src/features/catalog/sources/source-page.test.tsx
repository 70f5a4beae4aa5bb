import { catalogSources, type SourceRunLine } from '@quayside/contract/catalog/sources'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../../testing/portal.tsx'
import { SourcePage } from './source-page.tsx'
import { aRun, aSource } from './testing/a-source.ts'

const line = (more: Partial<SourceRunLine> = {}): SourceRunLine => ({
  ...{ id: 'tank 1.1.0', chart: 'tank', version: '1.1.0', outcome: 'taken', message: 'tank 1.1.0 is in the catalog.' },
  itemId: 'item1',
  ...more,
})

function open(answers: Answers = {}) {
  const older = aRun({ id: 'run0', askedBy: null, state: 'failed', message: 'Nobody answers.' })
  serving({
    ...answer(catalogSources.getSource, aSource()),
    ...answer(catalogSources.listSourceRuns, { data: [aRun(), older] }, { id: 'source1' }),
    ...answer(catalogSources.getSourceRun, { ...aRun(), lines: [line()] }, { id: 'source1', runId: 'run1' }),
    ...answer(
      catalogSources.getSourceRun,
      { ...older, lines: [line({ outcome: 'refused', itemId: null, message: 'It is not a chart.' })] },
      { id: 'source1', runId: 'run0' },
    ),
    ...answer(permissions.myScopes, { data: [] }),
    ...answers,
  })
  drawInPortal(<SourcePage />, {
    at: '/catalog/apps/sources/source1',
    route: 'catalog/apps/sources/$sourceId',
    roles: ['catalog.publish'],
  })
}
const report = () => screen.findByRole('table', { name: 'Report' })

it('shows what a source takes, and what its last run did', async () => {
  open()
  expect(await screen.findByRole('heading', { level: 1, name: 'Harbour charts' })).toBeDefined()
  for (const text of ['tank-*', 'The newest 5 of each chart', 'Every day', '3 items, 7 versions'])
    expect(screen.getByText(text)).toBeDefined()
  const row = within(await report()).getByRole('row', { name: /^tank/ })
  expect(row.textContent).toContain('tank 1.1.0 is in the catalog.')
  expect(within(row).getByRole('link', { name: 'tank' }).getAttribute('href')).toBe('/catalog/apps/item1')
})

it.each([
  [0, 1, '0 items, 1 version'],
  [1, 2, '1 item, 2 versions'],
])('counts %i items and %i versions in words', async (itemCount, versionCount, words) => {
  open(answer(catalogSources.getSource, aSource({ itemCount, versionCount })))
  expect(await screen.findByText(words)).toBeDefined()
})

it('shows another run that is chosen', async () => {
  open()
  const runs = await screen.findByRole('table', { name: 'Runs' })
  const [, second] = await within(runs).findAllByRole('rowheader')
  await userEvent.click(within(second as HTMLElement).getByRole('button'))
  await waitFor(async () => expect((await report()).textContent).toContain('It is not a chart.'))
  expect(within(runs).getByRole('row', { name: /Nobody answers/ }).textContent).toContain('the schedule')
})

it('follows a run that is under way, and begins no second one', async () => {
  const lastRun = aRun({ state: 'running', endedAt: null, total: 8, done: 2, current: 'tank 1.2.0', message: '' })
  open(answer(catalogSources.getSource, aSource({ lastRun })))
  const bar = await screen.findByRole('progressbar', { name: 'Synchronisation' })
  expect(bar.getAttribute('aria-valuenow')).toBe('25')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Synchronise now' }).disabled).toBe(true)
})

it('says why it cannot be shown', async () => {
  open(answer(catalogSources.getSource, new Refusal(404, 'This catalog source does not exist.')))
  const alert = await screen.findByRole('alert', { name: /^Catalog source: / })
  expect(alert.textContent).toContain('This catalog source does not exist.')
})
