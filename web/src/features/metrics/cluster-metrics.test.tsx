import { type ClusterUsage, type Collection, metrics } from '@quayside/contract/metrics/endpoints'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { aCluster } from '../../testing/things.ts'
import { ClusterMetrics } from './cluster-metrics.tsx'

const current: Collection = {
  ...{ clusterId: 'c1', clusterName: 'Harbour', state: 'current' },
  ...{ at: '2031-05-01T12:01:00Z', message: null },
}
const figures: ClusterUsage = {
  ...{ from: '2031-05-01T12:00:00Z', to: '2031-05-01T12:01:00Z', stepSeconds: 60, collections: [current] },
  cpu: [
    { of: 'usage', values: [1, 1.5] },
    { of: 'capacity', values: [4, 4] },
  ],
  memory: [{ of: 'usage', values: [2 ** 30, 2 ** 30] }],
  nodes: [
    { node: 'node-1', cpu: { usage: 1.5, capacity: 4 }, memory: { usage: 2 ** 30, capacity: null } },
    { node: 'node-2', cpu: { usage: null, capacity: 4 }, memory: { usage: null, capacity: null } },
  ],
}

function open(told: ClusterUsage | Refusal) {
  const cluster = aCluster()
  serving(answer(metrics.clusterUsage, told, { id: cluster.id }))
  drawInPortal(<ClusterMetrics cluster={cluster} />, { route: 'clusters/$clusterId', at: `/clusters/${cluster.id}` })
}

it('shows what is used of what there is', async () => {
  open(figures)
  const chart = await screen.findByRole('slider', { name: /^CPU of / })
  expect(chart.getAttribute('aria-valuetext')).toMatch(/Usage 1\.5 cores, Capacity 4 cores$/)
})

it('lists its nodes, with a dash for use that was not measured', async () => {
  open(figures)
  const table = within(await screen.findByRole('table', { name: 'Busiest nodes' }))
  expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Node/),
    'node-11.5 cores of 4 cores1Gi',
    'node-2––',
  ])
})

it('says that no figures of nodes have arrived', async () => {
  open({ ...figures, nodes: [] })
  expect(await screen.findByText('No figures of nodes have arrived recently.')).toBeDefined()
})

it('says why there is nothing to show', async () => {
  open(new Refusal(502, 'The metrics server could not be reached.', 'metrics.unreachable'))
  expect(await screen.findByText(/The metrics server could not be reached/)).toBeDefined()
})
