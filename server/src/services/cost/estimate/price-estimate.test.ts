import { expect, test } from 'vitest'
import type { Demands } from '../../clusters/index.ts'
import { shownIn } from '../prices/money.ts'
import type { Prices } from '../prices/pricing.ts'
import { estimateOf } from './price-estimate.ts'

const prices: Prices = {
  currency: 'USD',
  coreHour: 0.04,
  memoryGibHour: 0.01,
  storage: [
    { storageClass: 'fast', gibMonth: 0.2 },
    { storageClass: null, gibMonth: 0.1 },
  ],
  loadBalancerHour: null,
  overheadHour: 0.1,
}
const gib = 2 ** 30
const span = (low: number, expected = low, high = expected) => ({ low, expected, high })
const demand = (resource: 'cpu' | 'memory' | 'storage' | 'loadBalancer', amount = span(1), storageClass = '') => ({
  ...{ object: 'Deployment web', resource, amount },
  storageClass: storageClass || null,
})
const of = (...demands: Demands['demands']): Demands => ({ demands, leftOut: [] })
const shown = shownIn(null, 'USD', [])

test('a month has 730 hours, storage is priced by class, and an autoscaler leaves low and high', () => {
  const next = of(
    demand('cpu', span(1, 2, 4)),
    demand('memory', span(4 * gib)),
    demand('storage', span(10 * gib), 'fast'),
    demand('storage', span(10 * gib), 'slow'),
  )
  const { monthly, unpriced, delta } = estimateOf(next, undefined, prices, shown)
  expect(monthly?.low).toBeCloseTo(29.2 + 29.2 + 2 + 1)
  expect(monthly?.expected).toBeCloseTo(2 * 29.2 + 29.2 + 3)
  expect(monthly?.high).toBeCloseTo(4 * 29.2 + 29.2 + 3)
  expect({ unpriced, delta }).toEqual({ unpriced: [], delta: null })
})

test('an upgrade says the difference from what runs', () => {
  const { delta } = estimateOf(of(demand('cpu', span(2))), of(demand('cpu', span(3))), prices, shown)
  expect(delta?.expected).toBeCloseTo(-29.2)
})

test('what has no price is listed, and counts as no amount', () => {
  const { monthly, lines, unpriced } = estimateOf(of(demand('loadBalancer')), undefined, prices, shown)
  expect(monthly).toEqual(span(0))
  expect(lines).toMatchObject([{ monthly: null }])
  expect(unpriced).toEqual([{ object: 'Deployment web', container: null, why: 'no-load-balancer-price' }])
})

test('without prices there is no amount, which is not 0', () => {
  expect(estimateOf(of(demand('cpu')), of(demand('cpu')), undefined, undefined)).toMatchObject({
    ...{ currency: null, monthly: null, delta: null, unpriced: [] },
    lines: [{ monthly: null }],
  })
})

test('amounts are shown in the currency of the person', () => {
  const euros = shownIn('EUR', 'USD', [{ currency: 'USD', perEuro: 2, asOf: '2031-05-10', source: 'hand' }])
  expect(estimateOf(of(demand('cpu')), undefined, prices, euros)).toMatchObject({
    currency: 'EUR',
    monthly: { expected: expect.closeTo(14.6) },
    rate: { from: 'USD' },
  })
})
