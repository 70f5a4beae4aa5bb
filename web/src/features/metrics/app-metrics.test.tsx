import { type AppUsage, type Collection, metrics } from '@quayside/contract/metrics/endpoints'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { answer, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { anApp } from '../../testing/things.ts'
import { AppMetrics } from './app-metrics.tsx'

const current: Collection = {
  ...{ clusterId: 'c1', clusterName: 'Harbour', state: 'current' },
  ...{ at: '2031-05-01T12:02:00Z', message: null },
}
const amounts = { usage: 0.1, requests: 0.2, limits: null }
const figures: AppUsage = {
  ...{ from: '2031-05-01T12:00:00Z', to: '2031-05-01T12:02:00Z', stepSeconds: 60, collections: [current] },
  cpu: [
    { of: 'usage', values: [null, 0.1, 0.25] },
    { of: 'requests', values: [0.5, 0.5, 0.5] },
  ],
  memory: [{ of: 'usage', values: [2 ** 20, 2 ** 21, 2 ** 22] }],
  pods: [
    {
      ...{ clusterId: 'c1', namespace: 'shop-1', pod: 'web-1', app: { id: '7app001', displayName: 'Shop' } },
      ...{ cpu: amounts, memory: { usage: 2 ** 20, requests: null, limits: 2 ** 21 } },
    },
  ],
  markers: [
    {
      ...{ actionId: 'a1', kind: 'Upgrade', outcome: 'failed', at: '2031-05-01T12:01:00Z' },
      ...{ version: '2.0.0', startedBy: 'ines', app: null },
    },
  ],
}
const nothing = { ...figures, cpu: [], memory: [], pods: [], markers: [] }

function open(told: AppUsage | Refusal | typeof never, at = '/apps/7app001') {
  const calls = serving(answer(metrics.appUsage, told, { id: '7app001' }))
  const { router } = drawInPortal(<AppMetrics app={anApp()} />, { route: 'apps/$appId', at })
  return { calls, search: () => router.state.location.search }
}

it('says the newest figures, and those of the moment that the arrow keys choose', async () => {
  open(figures)
  const chart = await screen.findByRole('slider', { name: /^CPU of / })
  expect(chart.getAttribute('aria-valuetext')).toMatch(/Usage 250m, Requests 500m$/)
  fireEvent.keyDown(chart, { key: 'ArrowLeft' })
  expect(chart.getAttribute('aria-valuetext')).toMatch(/Usage 100m, Requests 500m$/)
  fireEvent.keyDown(chart, { key: 'Home' })
  expect(chart.getAttribute('aria-valuetext')).toMatch(/Usage –, Requests 500m$/)
  expect(screen.getByRole('slider', { name: /^Memory of / }).getAttribute('aria-valuetext')).toMatch(/Usage 4Mi$/)
})

it('marks each action on both charts with a link to it, and lists it', async () => {
  open(figures)
  const links = await screen.findAllByRole('link', { name: /^Upgrade of 2\.0\.0 by ines, .*: failed$/ })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(Array(3).fill('/cloud-automation/a1'))
})

it('shows pods against what they are allowed or ask for', async () => {
  open(figures)
  const table = within(await screen.findByRole('table', { name: 'Busiest pods' }))
  expect(table.getByText('100m of 200m requested')).toBeDefined()
  expect(table.getByText('1Mi of 2Mi allowed')).toBeDefined()
})

it('has the same figures as tables', async () => {
  open(figures)
  await userEvent.click(await screen.findByRole('button', { name: 'Show tables' }))
  const table = within(screen.getByRole('table', { name: 'CPU over time' }))
  expect(table.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Time.*Usage.*Requests/),
    expect.stringMatching(/250m500m$/),
    expect.stringMatching(/100m500m$/),
    expect.stringMatching(/–500m$/),
  ])
})

it('says that it loads', async () => {
  open(never)
  expect(await screen.findByText('Loading')).toBeDefined()
})

it('says why there is nothing to show', async () => {
  open(new Refusal(502, 'The metrics server could not be reached.', 'metrics.unreachable'))
  expect(await screen.findByText(/The metrics server could not be reached/)).toBeDefined()
})

it.each([
  ['off', 'Whoever operates the portal can set PROMETHEUS_URL.', 'Metrics are off'],
  ['waiting', 'This cluster has no metrics API.', 'No figures of Harbour yet'],
] as const)('says so when figures are %s', async (state, message, title) => {
  open({ ...nothing, collections: [{ ...current, state, at: null, message }] })
  expect(await screen.findByText(title)).toBeDefined()
  expect(screen.getByText(message)).toBeDefined()
  expect(screen.queryByRole('slider')).toBeNull()
})

it('says that figures are old and shows them all the same', async () => {
  open({ ...figures, collections: [{ ...current, state: 'stale', message: 'The cluster could not be reached.' }] })
  expect((await screen.findByRole('alert')).textContent).toMatch(/No new figures of Harbour.*could not be reached/)
  expect(screen.getAllByRole('slider').length).toBe(2)
})

it('says that some figures are missing', async () => {
  open({ ...figures, collections: [{ ...current, message: 'The metrics server rejected some samples.' }] })
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /Not all figures of Harbour arrive.*rejected some samples/,
  )
})

it('says when nothing was running', async () => {
  open(nothing)
  expect(await screen.findByText('No data in this time range')).toBeDefined()
})

it.each([
  ['Time', { range: '24h' }, 'Last 24 hours', 'Last hour'],
  ['Refresh', { refresh: '5m' }, '5 min', '30 s'],
])('keeps %s in the address under its own name, and nothing for the usual', async (label, kept, other, usual) => {
  const { search } = open(figures)
  const choose = async (value: string) => {
    await userEvent.click(await screen.findByRole('button', { name: new RegExp(`^${label}(?! now)`) }))
    await userEvent.click(await screen.findByRole('menuitem', { name: value }))
  }
  await choose(other)
  expect(search()).toEqual(kept)
  await choose(usual)
  expect(search()).toEqual({})
})

it('reads the figures again when asked', async () => {
  const { calls } = open(figures)
  await screen.findAllByRole('slider')
  const before = calls.length
  await userEvent.click(screen.getByRole('button', { name: 'Refresh now' }))
  await waitFor(() => expect(calls.length).toBe(before + 1))
})
