import { clusters } from '@quayside/contract/clusters/endpoints'
import { scaling } from '@quayside/contract/clusters/scaling'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { aCluster, pageOf } from '../../testing/things.ts'
import { ClusterPage } from './cluster-page.tsx'

const id = { id: 'c1' }

function open(answers: Answers = {}, held = ['access', 'clusters.view']) {
  const calls = serving({
    ...answer(clusters.get, aCluster(), id),
    ...answer(
      clusters.healthCheck,
      { health: 'healthy', checks: [{ name: 'API server', state: 'ok', message: 'It answers' }] } as never,
      id,
    ),
    ...answer(clusters.nodes, { data: [] }, id),
    ...answer(scaling.nodePools, { data: [], reason: 'Resize it where it was made.' }, id),
    ...answer(clusters.events, pageOf(), id),
    ...answers,
  })
  const { router } = drawInPortal(
    <ClusterPage metrics={() => <p>The metrics</p>} kubeconfigs={(cluster) => <p>Kubeconfigs of {cluster}</p>} />,
    {
      route: 'clusters/$clusterId',
      at: '/clusters/c1',
      more: { 'quayside-portal-ui-clusters': held },
    },
  )
  return { calls, where: () => router.state.location.href }
}
const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent)
const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent

it('shows each fact of the cluster under its name', async () => {
  open()
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('North')
  expect(
    Object.fromEntries(
      ['Provider', 'Version', 'Nodes ready', 'Apps', 'Spaces', 'Objects outside the space', 'Pods'].map((name) => [
        name,
        fact(name),
      ]),
    ),
  ).toEqual({
    ...{ Provider: 'Sandbox', Version: 'v1.35.0', 'Nodes ready': '2 of 3', Apps: '7', Spaces: '4' },
    ...{ 'Objects outside the space': 'Refused', Pods: '11 of 110' },
  })
  expect((await screen.findByText('It answers')).closest('li')?.textContent).toBe('OKAPI serverIt answers')
})

it.each([
  [['clusters.view'], ['Overview', 'Nodes', 'Metrics', 'Storage classes', 'Spaces', 'Outside spaces']],
  [['clusters.events.view'], ['Overview', 'Nodes', 'Metrics', 'Storage classes', 'Spaces', 'Outside spaces', 'Events']],
  [['clusters.edit'], ['Overview', 'Nodes', 'Metrics', 'Storage classes', 'Spaces', 'Outside spaces', 'Kubeconfigs']],
])('offers the tabs that its roles open: %j', async (held, shown) => {
  open({}, ['access', ...held])
  await screen.findByRole('heading', { level: 1 })
  expect(tabs()).toEqual(shown)
})

it('keeps the tab in the address', async () => {
  const { where } = open({}, ['access', 'clusters.edit'])
  await userEvent.click(await screen.findByRole('tab', { name: 'Kubeconfigs' }))
  expect(await screen.findByText('Kubeconfigs of c1')).toBeDefined()
  expect(where()).toBe('/clusters/c1?tab=kubeconfigs')
})

it('deregisters after a question and opens the action', async () => {
  const { calls, where } = open(answer(clusters.remove, { actionId: 'action-9', state: 'accepted' }), [
    'clusters.deregister',
  ])
  await userEvent.click(await screen.findByRole('button', { name: 'Deregister' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(where()).toBe('/cloud-automation/action-9'))
  expect(calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual(['/cluster/v1/clusters/c1'])
})

it('keeps Deregister closed to who may not, and asks nobody', async () => {
  open()
  const button = await screen.findByRole('button', { name: 'Deregister' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(button)
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('shows that it loads', async () => {
  open(answer(clusters.get, never, id))
  expect((await screen.findByRole('status')).textContent).toBe('Loading')
})

it.each([
  [500, 'The database is away'],
  [403, 'You need the role clusters.view'],
  [404, 'This cluster does not exist'],
])('says why it could not be read, and reads it again when asked: %i', async (status, reason) => {
  const answers = [new Refusal(status, reason)]
  open(answer(clusters.get, () => answers.shift() ?? aCluster(), id))
  const alert = await screen.findByRole('alert', { name: /^Cluster: / })
  expect(alert.textContent).toContain(`Status code: ${status}Reason: ${reason}`)
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('North')
})

it('resizes a node pool, saying what a smaller one means', async () => {
  const pool = { name: 'sandbox', count: 3, ready: null, provider: 'sandbox' } as const
  const { calls } = open(
    {
      ...answer(scaling.nodePools, { data: [pool], reason: null }, id),
      ...answer(scaling.resize, 'Node pool sandbox had 3 and now has 1 node.' as never),
    },
    ['access', 'clusters.view', 'clusters.edit'],
  )
  await userEvent.click(await screen.findByRole('tab', { name: 'Nodes' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Resize' }))
  const dialog = within(screen.getByRole('dialog'))
  const field = dialog.getByRole('textbox', { name: 'Nodes' })
  await userEvent.clear(field)
  expect(dialog.getByText('Enter a whole number from 0 to 1000.')).toBeDefined()
  await userEvent.type(field, '1')
  expect(dialog.getByText(/^2 nodes are removed/)).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Resize' }))
  const sent = () => calls.find(({ path }) => path.endsWith('cluster.resize'))?.body
  await waitFor(() => expect(sent()).toEqual({ clusterId: 'c1', pool: 'sandbox', count: 1 }))
  expect(await screen.findByText('Node pool sandbox had 3 and now has 1 node.')).toBeDefined()
})

it('says why a cluster cannot be resized', async () => {
  open()
  await userEvent.click(await screen.findByRole('tab', { name: 'Nodes' }))
  expect(await screen.findByText('Resize it where it was made.')).toBeDefined()
})
