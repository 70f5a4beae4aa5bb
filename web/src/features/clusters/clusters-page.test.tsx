import { clusters } from '@quayside/contract/clusters/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { aCluster, firstOf, pageOf } from '../../testing/things.ts'
import { ClustersPage } from './clusters-page.tsx'

function open(answers: Answers = {}, held = ['access', 'clusters.create', 'clusters.deregister'], at = '/') {
  const calls = serving({ ...answer(clusters.list, pageOf(aCluster())), ...answers })
  const { router } = drawInPortal(<ClustersPage />, { at, more: { 'quayside-portal-ui-clusters': held } })
  const lists = () =>
    calls
      .filter(({ method, path }) => method === 'GET' && path.startsWith(`${pathOf(clusters.list)}?`))
      .map(({ path }) => path)
  return { calls, lists, where: () => router.state.location.href }
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

testListPage({
  open,
  list: clusters.list,
  filled: pageOf(aCluster()),
  none: pageOf(),
  label: 'Clusters',
  row: {
    Name: 'Northnorth',
    Health: 'Healthy',
    Provider: 'Sandbox',
    Version: 'v1.35.0',
    'Nodes ready': '2 of 3',
    'CPU requested': /^2.* of 8/,
    'Memory requested': /^4.*Gi.* of 16/,
    Apps: '7',
  },
  empty: 'No clusters yet',
})

it('asks the server for another order and for what is searched, from the first page on', async () => {
  const { lists, where } = open(answer(clusters.list, firstOf(120, aCluster())), [], '/?skip=50')
  await screen.findByRole('rowheader')
  expect(lists()[0]).toContain('page.skip=50')
  expect(lists()[0]).toContain('sort.displayName=ASC')
  expect(screen.queryByRole('button', { name: 'Version' })).toBeNull()
  await userEvent.click(button('Name'))
  await waitFor(() => expect(lists().at(-1)).toContain('sort.displayName=DESC'))
  expect(lists().at(-1)).not.toContain('page.skip=50')
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search: Name, provider' }), 'n')
  await waitFor(() => expect(lists().at(-1)).toContain('search=n'))
  expect(where()).toContain('q=n')
})

it('counts all clusters and leads to the next page of them', async () => {
  const { lists } = open(answer(clusters.list, firstOf(120, aCluster())))
  await screen.findByRole('rowheader')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Clusters 120')
  await userEvent.click(within(screen.getByRole('navigation', { name: 'Pages' })).getByRole('button', { name: 'Next' }))
  await waitFor(() => expect(lists().at(-1)).toContain('page.skip=50'))
})

it('deregisters after a question, reads the list again and opens the action', async () => {
  const { calls, lists, where } = open(answer(clusters.remove, { actionId: 'action-9', state: 'accepted' }))
  await screen.findByRole('rowheader')
  const before = lists().length
  await userEvent.click(button('Actions for North'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Deregister' }))
  const question = await screen.findByRole('dialog', { name: 'Deregister cluster' })
  expect(question.textContent).toContain('Deregister North?')
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false)
  await userEvent.click(within(question).getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(where()).toBe('/cloud-automation/action-9'))
  expect(calls.find(({ method }) => method === 'DELETE')?.path).toBe('/cluster/v1/clusters/c1')
  expect(lists().length).toBeGreaterThan(before)
})

it('says why a cluster is not deregistered', async () => {
  open(answer(clusters.remove, new Refusal(409, 'Apps run on it')))
  await screen.findByRole('rowheader')
  await userEvent.click(button('Actions for North'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Deregister' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Confirm' }))
  const told = await screen.findByRole('dialog', { name: 'The cluster was not deregistered' })
  expect(told.textContent).toContain('Apps run on it')
})

it('is closed to who only looks on', async () => {
  open({}, ['access', 'clusters.view'])
  await screen.findByRole('rowheader')
  expect(button('Add cluster').getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(button('Actions for North'))
  expect((await screen.findByRole('menuitem', { name: 'Deregister' })).getAttribute('aria-disabled')).toBe('true')
})
