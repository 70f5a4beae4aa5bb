import { deployments } from '@quayside/contract/deployments/endpoints'
import { ledger } from '@quayside/contract/deployments/ledger'
import { pathOf } from '@quayside/contract/http/path'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { testListPage } from '../../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, serving } from '../../../testing/portal.tsx'
import { anAction, firstOf, pageOf } from '../../../testing/things.ts'
import { LedgerPage } from './ledger-page.tsx'

const accepted = { actionId: 'action-2', state: 'accepted', releaseName: null } as const

function open(answers: Answers = {}, { at = '/', roles = ['catalog.deployments.manage'] } = {}) {
  const calls = serving({
    ...answer(deployments.listActions, pageOf(anAction())),
    ...answer(ledger.listStarters, { data: ['noor', 'mara'] } as never),
    ...answer(permissions.myScopes, { data: [] }),
    ...answers,
  })
  const { router } = drawInPortal(<LedgerPage />, { at, roles })
  const lists = () =>
    calls.map(({ path }) => path).filter((path) => path.startsWith(`${pathOf(deployments.listActions)}?`))
  return { calls, lists, where: () => router.state.location.href }
}
const menu = async (entry: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Upgrade of Tank levels' }))
  return screen.findByRole('menuitem', { name: entry })
}

testListPage({
  open,
  list: deployments.listActions,
  filled: pageOf(anAction()),
  none: pageOf(),
  label: 'Actions',
  row: {
    ...{ Action: 'Upgradetank-levels-7app001', App: 'Tank levels 1.0.0', State: 'Success', Space: 'Shop' },
    ...{ Cluster: 'North', 'Started by': 'noor', Took: /1.*5/ },
  },
  empty: 'Nothing was done yet',
})

it('asks the server for every filter, the order and the page that the address names', async () => {
  const at = '/?q=tank&state=Failed&kind=Upgrade&space=8kx2m4a&cluster=c1&app=7app001&by=noor&sort=-appName&skip=50'
  const { lists } = open(answer(deployments.listActions, firstOf(120, anAction())), { at })
  await screen.findByRole('rowheader')
  for (const part of [
    ...[
      'search=tank',
      'filters.state=Failed',
      'filters.kind=Upgrade',
      'filters.spaceId=8kx2m4a',
      'filters.clusterId=c1',
    ],
    ...['filters.appId=7app001', 'filters.startedBy=noor', 'sort.appName=DESC', 'page.skip=50'],
  ])
    expect(lists()[0]).toContain(part)
})

it('begins at the first page again when the order is another', async () => {
  const { lists } = open(answer(deployments.listActions, firstOf(120, anAction())), { at: '/?skip=50' })
  await screen.findByRole('rowheader')
  await userEvent.click(screen.getByRole('button', { name: 'Started' }))
  await waitFor(() => expect(lists().at(-1)).toContain('sort.acceptedAt=ASC'))
  expect(lists().at(-1)).not.toContain('page.skip=50')
})

it('does a failed action again after a question, reads the list again and opens the new one', async () => {
  const failed = anAction({ state: 'Failed', result: { state: 1, summary: 'It broke', lines: [] } })
  const { calls, lists, where } = open({
    ...answer(deployments.listActions, pageOf(failed)),
    ...answer(deployments.retryAction, accepted, { id: 'action-1' }),
  })
  await userEvent.click(await menu('Try again'))
  const question = await screen.findByRole('dialog', { name: 'Try again' })
  expect(question.textContent).toContain('Upgrade of Tank levels 1.0.0 is done again')
  expect(calls.some(({ method }) => method === 'POST')).toBe(false)
  const before = lists().length
  await userEvent.click(within(question).getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(where()).toBe('/cloud-automation/action-2'))
  expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
    '/deployment/v1/actions/action-1/retry',
  ])
  await waitFor(() => expect(lists().length).toBeGreaterThan(before))
})

it('keeps Try again closed to who only looks on', async () => {
  const failed = anAction({ state: 'Failed' })
  const { calls } = open(answer(deployments.listActions, pageOf(failed)), { roles: ['catalog.deployments.view'] })
  const entry = await menu('Try again')
  await waitFor(() => expect(entry.getAttribute('aria-disabled')).toBe('true'))
  await userEvent.click(entry)
  expect(calls.some(({ method }) => method === 'POST')).toBe(false)
})
