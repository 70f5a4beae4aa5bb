import { type Collection, metrics, type SpaceUsage } from '@quayside/contract/metrics/endpoints'
import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answer, drawInPortal, serving } from '../../testing/portal.tsx'
import { aSpace } from '../../testing/things.ts'
import { SpaceMetrics } from './space-metrics.tsx'

const collection = (clusterId: string, state: Collection['state'], message: string | null): Collection => ({
  ...{ clusterId, clusterName: clusterId, state, at: null, message },
})
const nothing = { usage: null, requests: null, limits: null }
const figures: SpaceUsage = {
  ...{ from: '2031-05-01T12:00:00Z', to: '2031-05-01T12:01:00Z', stepSeconds: 60 },
  collections: [collection('Harbour', 'current', null)],
  cpu: [{ of: 'usage', values: [0.1, 0.25] }],
  memory: [{ of: 'usage', values: [2 ** 20, 2 ** 21] }],
  pods: [
    {
      ...{ clusterId: 'Harbour', namespace: 'shop-1', pod: 'web-1', app: { id: '7app001', displayName: 'Shop' } },
      ...{ cpu: { usage: null, requests: 0.2, limits: null }, memory: nothing },
    },
    { clusterId: 'Harbour', namespace: 'shop-1', pod: 'by-hand', app: null, cpu: nothing, memory: nothing },
  ],
  markers: [
    {
      ...{ actionId: 'a1', kind: 'Deploy', outcome: 'succeeded', at: '2031-05-01T12:00:30Z' },
      ...{ version: '2.0.0', startedBy: 'ines', app: 'Shop' },
    },
  ],
}

function open(usage: SpaceUsage, space = aSpace()) {
  const calls = serving(answer(metrics.spaceUsage, usage, { id: space.id }))
  drawInPortal(<SpaceMetrics space={space} />, {
    route: 'spaces/$spaceId/overview',
    at: `/spaces/${space.id}/overview`,
  })
  return calls
}

it('marks the actions of its apps by their names', async () => {
  open(figures)
  const links = await screen.findAllByRole('link', { name: /^Shop: Deployment of 2\.0\.0 by ines, .*: succeeded$/ })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(Array(3).fill('/cloud-automation/a1'))
})

it('leads from a pod to its app, and shows a dash for use that was not measured', async () => {
  open(figures)
  const table = within(await screen.findByRole('table', { name: 'Busiest pods' }))
  expect(table.getByRole('link', { name: 'Shop' }).getAttribute('href')).toMatch(/^\/apps\/7app001\?.*tab=metrics/)
  expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Pod/),
    'web-1Shop––',
    'by-hand–––',
  ])
})

it('says once that metrics are off, however many clusters it uses', async () => {
  const off = ['Harbour', 'Quay'].map((name) => collection(name, 'off', 'Somebody can set PROMETHEUS_URL.'))
  open({ ...figures, cpu: [], memory: [], pods: [], markers: [], collections: off })
  expect((await screen.findAllByText('Metrics are off')).length).toBe(1)
  expect(screen.queryByRole('table')).toBeNull()
})

it('asks for nothing where the space uses no cluster', async () => {
  const calls = open(figures, aSpace({ clusters: [] }))
  expect(await screen.findByText('No cluster')).toBeDefined()
  expect(calls.filter(({ path }) => path.includes('/usage'))).toEqual([])
})
