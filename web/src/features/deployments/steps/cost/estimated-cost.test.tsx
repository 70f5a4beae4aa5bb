import { costEstimate, type Estimate } from '@quayside/contract/cost/estimate'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { answer, drawInPortal, Refusal, serving } from '../../../../testing/portal.tsx'
import { EstimatedCost } from './estimated-cost.tsx'

afterEach(cleanup)

const appMetadata = { tenantIdentifier: 'a', envIdentifier: 'b', instanceIdentifier: 'c', appIdentifier: 'c' }
const same = (count: number) => ({ low: count, expected: count, high: count })
const plain: Estimate = {
  ...{ currency: 'EUR', monthly: same(20), delta: null, lines: [], unpriced: [] },
  ...{ rate: null, missingRate: null, budget: null, problem: null },
}

function open(told: Partial<Estimate> | Refusal) {
  serving(answer(costEstimate.estimate, told instanceof Refusal ? told : { ...plain, ...told }))
  drawInPortal(<EstimatedCost versionId="v" appMetadata={appMetadata} yaml="" />)
}

it('says the amount of a month, and the difference of an upgrade', async () => {
  open({ delta: same(-5) })
  expect(await screen.findByText('€20.00')).toBeDefined()
  expect(screen.getByText('-€5.00 compared with now')).toBeDefined()
})

it('says between which amounts an autoscaler decides', async () => {
  open({ monthly: { low: 10, expected: 20, high: 60 } })
  expect(await screen.findByText('€10.00 to €60.00, as its autoscaler decides')).toBeDefined()
})

it('lists what has no price', async () => {
  open({ unpriced: [{ object: 'Deployment web', container: 'proxy', why: 'no-cpu-request' }] })
  expect(await screen.findByText('1 part is not included')).toBeDefined()
  expect(screen.getByText('Deployment web, container proxy: no CPU request')).toBeDefined()
})

it('no price is not 0, and who may set one is said', async () => {
  open({ currency: null, monthly: null })
  expect(await screen.findByText('No price')).toBeDefined()
  expect(screen.getByText('Whoever edits the cluster can set its prices.')).toBeDefined()
  expect(screen.queryByText(/0/)).toBeNull()
})

it('marks an old rate, and says which rate is missing', async () => {
  open({ rate: { from: 'USD', asOf: '2031-05-02', isOld: true }, missingRate: 'JPY' })
  expect(
    await screen.findByText('Converted from USD at the rate of 2031-05-02, which is more than 7 days old'),
  ).toBeDefined()
  expect(screen.getByText('No exchange rate to JPY. Whoever edits clusters can enter one.')).toBeDefined()
})

it.each<[string, Partial<Estimate> | Refusal]>([
  ['a chart that does not render', { problem: 'values do not meet the schema', monthly: null }],
  ['a refusal', new Refusal(502, 'The cluster did not answer')],
])('%s is said', async (_, told) => {
  open(told)
  const said = told instanceof Refusal ? screen.findByRole('button', { name: /did not answer/ }) : undefined
  expect(await (said ?? screen.findByText('The chart does not render: values do not meet the schema'))).toBeDefined()
})
