import { type Allocation, type Allocations, costAllocation } from '@quayside/contract/cost/allocation'
import { costBudget } from '@quayside/contract/cost/budget'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { answer, drawInPortal, Refusal, serving } from '../../../testing/portal.tsx'
import { SpaceCost } from './place-costs.tsx'

afterEach(cleanup)

const allocation = (app: string, totalCost: number | null): Allocation => ({
  ...{ name: app, properties: { displayName: `The ${app}`, app, space: 's1' }, start: '', end: '', minutes: 180 },
  ...{ cpuCoreHours: 1, cpuCoreRequestAverage: 1, cpuCoreUsageAverage: 1, cpuCost: totalCost },
  ...{ ramByteHours: 0, ramByteRequestAverage: 0, ramByteUsageAverage: 0, ramCost: null },
  ...{ pvByteHours: 0, pvCost: null, loadBalancerCost: null, sharedCost: 0, totalCost, unpriced: [] },
})
const costs = (more: Partial<Allocations>, ...all: Allocation[]): Allocations => ({
  ...{ code: 200, currency: 'EUR', rates: [], missingRate: null, isMeasured: true, measuredMinutes: [180] },
  data: [Object.fromEntries(all.map((one) => [one.name, one]))],
  ...more,
})

function open(told: Allocations | Refusal) {
  const calls = serving({
    ...answer(costAllocation.allocation, told),
    ...answer(costBudget.getBudget, { budget: null }, { id: 's1' }),
  })
  drawInPortal(<SpaceCost space={{ id: 's1', displayName: 'Shop' }} />)
  return calls
}

it('says what each app cost, the dearest first, and leads to it', async () => {
  const calls = open(costs({}, allocation('shop', 2), allocation('shed', 30)))
  const table = within(await screen.findByRole('table', { name: 'Cost by app' }))
  expect(table.getAllByRole('link').map((link) => link.textContent)).toEqual(['The shed', 'The shop'])
  expect(screen.getByText('This month so far').nextElementSibling?.textContent).toBe('€32.00')
  expect(calls.every(({ path }) => !path.includes('/cost/') || path.includes('s1'))).toBe(true)
})

it('no price is not 0, and who may set one is said', async () => {
  open(costs({ currency: null }, allocation('shop', null)))
  expect(await screen.findByText('No price')).toBeDefined()
  expect(screen.getByText(/^The clusters that this runs on have no prices\./)).toBeDefined()
  expect(screen.queryByText(/€|0\.00/)).toBeNull()
})

it('marks an old rate and one that is missing', async () => {
  const rates = [{ from: 'USD', asOf: '2031-05-02', isOld: true }]
  open(costs({ rates, missingRate: 'JPY' }, allocation('shop', 2)))
  expect(await screen.findByText('Rate of 2031-05-02, more than 7 days old')).toBeDefined()
  expect(screen.getByText('No exchange rate to JPY')).toBeDefined()
})

it.each<[string, Allocations | Refusal, RegExp]>([
  ['nothing yet', costs({ currency: null }), /^No costs this month/],
  ['metrics that are off', costs({ isMeasured: false }), /^Metrics are off/],
  ['a refusal', new Refusal(503, 'The database is away'), /The database is away/],
])('%s is said', async (_, told, words) => {
  open(told)
  expect((await screen.findAllByText(words)).length).toBeGreaterThan(0)
})
