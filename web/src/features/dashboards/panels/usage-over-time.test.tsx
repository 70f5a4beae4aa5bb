import type { Usage } from '@quayside/contract/metrics/endpoints'
import { cleanup, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw } from '../../../testing/draw.tsx'
import { UsageOverTime } from './usage-over-time.tsx'

const usage: Usage = {
  ...{ from: '2031-05-01T12:00:00Z', to: '2031-05-01T12:01:00Z', stepSeconds: 60, cpu: [], collections: [] },
  memory: [
    { of: 'usage', values: [2 ** 20, 2 ** 21] },
    { of: 'limits', values: [null, 2 ** 22] },
  ],
}

it('draws the lines of the resource, and has them as a table', () => {
  draw(<UsageOverTime data={{ kind: 'Usage', resource: 'memory', usage }} asTable={false} />)
  expect(screen.getByRole('slider', { name: 'Memory over time' }).getAttribute('aria-valuetext')).toMatch(
    /Usage 2Mi, Limits 4Mi$/,
  )
  cleanup()
  draw(<UsageOverTime data={{ kind: 'Usage', resource: 'memory', usage }} asTable />)
  expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'TimeUsageLimits',
    expect.stringMatching(/2Mi4Mi$/),
    expect.stringMatching(/1Mi–$/),
  ])
})

it('says why there are no figures', () => {
  const off = {
    clusterId: 'c1',
    clusterName: 'North',
    state: 'off' as const,
    at: null,
    message: 'No metrics are kept.',
  }
  draw(
    <UsageOverTime
      data={{ kind: 'Usage', resource: 'cpu', usage: { ...usage, collections: [off] } }}
      asTable={false}
    />,
  )
  expect(screen.getByText('No metrics are kept.')).toBeDefined()
})
