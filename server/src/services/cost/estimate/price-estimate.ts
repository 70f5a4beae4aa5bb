import type { Estimate, EstimateLine, Span, Unpriced } from '@quayside/contract/cost/estimate'
import { gib, hoursOfMonth, mostEstimateLines } from '@quayside/contract/cost/rules'
import type { Demands } from '../../clusters/index.ts'
import type { Shown } from '../prices/money.ts'
import { type Prices, priceOfHour } from '../prices/pricing.ts'

const none: Span = { low: 0, expected: 0, high: 0 }
const each = (span: Span, change: (value: number) => number): Span => ({
  low: change(span.low),
  expected: change(span.expected),
  high: change(span.high),
})
const plus = (one: Span, other: Span): Span => ({
  low: one.low + other.low,
  expected: one.expected + other.expected,
  high: one.high + other.high,
})

const isInBytes = { cpu: false, memory: true, storage: true, loadBalancer: false }
const whyNoPrice = { storage: 'no-storage-price', loadBalancer: 'no-load-balancer-price' } as const

/** The amounts that demands come to in a month, and what is left out of them. */
function priceDemands(
  { demands, leftOut }: Demands,
  prices: Prices | undefined,
  shown: Shown | undefined,
): { monthly: Span | null; lines: EstimateLine[]; unpriced: Unpriced[] } {
  const lines: EstimateLine[] = []
  const unpriced: Unpriced[] = [...leftOut]
  let monthly = none
  for (const { object, resource, storageClass, amount } of demands) {
    const units = isInBytes[resource] ? each(amount, (bytes) => bytes / gib) : amount
    const price = prices && priceOfHour(prices, resource, storageClass)
    const cost = price == null ? null : each(units, (count) => count * price * hoursOfMonth * (shown?.factor ?? 1))
    lines.push({ object, resource, amount: units, monthly: cost })
    if (cost !== null) monthly = plus(monthly, cost)
    else if (prices && (resource === 'storage' || resource === 'loadBalancer'))
      unpriced.push({ object, container: null, why: whyNoPrice[resource] })
  }
  return { monthly: prices ? monthly : null, lines, unpriced }
}

/** The estimate of what will run beside what runs. */
export function estimateOf(
  next: Demands,
  before: Demands | undefined,
  prices: Prices | undefined,
  shown: Shown | undefined,
): Omit<Estimate, 'problem' | 'budget'> {
  const { monthly, lines, unpriced } = priceDemands(next, prices, shown)
  const now = before && priceDemands(before, prices, shown).monthly
  const delta =
    monthly && now
      ? plus(
          monthly,
          each(now, (value) => -value),
        )
      : null
  return {
    ...{ monthly, delta },
    lines: lines.slice(0, mostEstimateLines),
    unpriced: unpriced.slice(0, mostEstimateLines),
    currency: shown?.currency ?? null,
    rate: shown?.rate ?? null,
    missingRate: shown?.missingRate ?? null,
  }
}
