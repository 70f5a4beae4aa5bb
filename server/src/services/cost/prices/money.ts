import type { UsedRate } from '@quayside/contract/cost/estimate'
import type { Rate } from '@quayside/contract/cost/prices'
import { daysTillOldRate } from '@quayside/contract/cost/rules'

/** How amounts of one currency are shown. */
export interface Shown {
  currency: string
  factor: number
  rate: UsedRate | null
  /** The currency that was wanted and that no rate leads to; amounts stay as they are then. */
  missingRate: string | null
}

const dayMs = 86_400_000

/** Turns amounts of a currency into the one that a person has chosen, by way of the euro. */
export function shownIn(wanted: string | null, from: string, rates: readonly Rate[], now = Date.now()): Shown {
  if (wanted === null || wanted === from) return { currency: from, factor: 1, rate: null, missingRate: null }
  const of = (code: string) =>
    code === 'EUR' ? { perEuro: 1, asOf: '9999-12-31' } : rates.find(({ currency }) => currency === code)
  const [before, after] = [of(from), of(wanted)]
  if (!before || !after) return { currency: from, factor: 1, rate: null, missingRate: wanted }
  const asOf = before.asOf < after.asOf ? before.asOf : after.asOf
  return {
    currency: wanted,
    factor: after.perEuro / before.perEuro,
    rate: { from, asOf, isOld: now - Date.parse(asOf) > (daysTillOldRate + 1) * dayMs },
    missingRate: null,
  }
}
