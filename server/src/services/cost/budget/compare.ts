import type { Budget } from '@quayside/contract/cost/budget'
import type { Estimate } from '@quayside/contract/cost/estimate'
import type { Rate } from '@quayside/contract/cost/prices'
import { hoursOfMonth } from '@quayside/contract/cost/rules'
import { shownIn } from '../prices/money.ts'

/** Cost of a space in the last hours, in a currency; null where nothing of it has a price. */
export interface Running {
  cost: number | null
  currency: string | null
  minutes: number
}

/** Compares the budget of a space with what it would cost with a deployment: as it runs now, and the difference. */
export function compareBudget(
  budget: Budget | null,
  { currency, monthly, delta }: Pick<Estimate, 'currency' | 'monthly' | 'delta'>,
  running: Running,
  rates: readonly Rate[],
): Estimate['budget'] {
  if (budget === null || currency === null || monthly === null) return null
  const into = (from: string) => {
    const { currency: reached, factor } = shownIn(currency, from, rates)
    return reached === currency ? factor : undefined
  }
  const [ofBudget, ofRunning] = [into(budget.currency), running.currency === null ? 1 : into(running.currency)]
  if (ofBudget === undefined || ofRunning === undefined) return null
  const perHour = running.minutes === 0 ? 0 : ((running.cost ?? 0) * ofRunning) / (running.minutes / 60)
  const total = perHour * hoursOfMonth + (delta ?? monthly).expected
  const amount = budget.amount * ofBudget
  return { amount, monthly: total, isExceeded: total > amount }
}
