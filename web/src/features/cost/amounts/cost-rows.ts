import type { Allocation, Allocations } from '@quayside/contract/cost/allocation'

/** A row of a table of costs. Null: no price, or not known. */
export interface CostRow {
  id: string
  name: string
  month: Allocation
  forecast: number | null
  /** This week beside the one before: 0.1 is a tenth more. */
  trend: number | null
}
type Sets = Record<'month' | 'now' | 'week' | 'weekBefore', Allocations | undefined>

/** The sum at the end of the month, if all goes on as in the last hours. */
export function forecastOf(
  spent: Allocation,
  recent: { cost: number; minutes: number } | undefined,
  at: Date,
): number | null {
  if (spent.totalCost === null) return null
  const end = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)
  const hoursLeft = (end - at.getTime()) / 3_600_000
  const perHour = recent === undefined || recent.minutes === 0 ? 0 : recent.cost / (recent.minutes / 60)
  return spent.totalCost + perHour * hoursLeft
}

/** The cost of the last hours, in the time in which anything was measured: what has ended counts ever less. */
function recentOf(now: Allocations | undefined, name: string) {
  const cost = now?.data[0]?.[name]?.totalCost
  return cost == null ? undefined : { cost, minutes: now?.measuredMinutes[0] ?? 0 }
}

/** Costs by name, the dearest first. */
export function rowsOf({ month, now, week, weekBefore }: Sets, at = new Date()): CostRow[] {
  const of = (set: Allocations | undefined, name: string) => set?.data[0]?.[name]
  return Object.values(month?.data[0] ?? {})
    .map((spent): CostRow => {
      const [after, before] = [of(week, spent.name)?.totalCost, of(weekBefore, spent.name)?.totalCost]
      return {
        ...{ id: spent.name, name: spent.properties.displayName, month: spent },
        forecast: forecastOf(spent, recentOf(now, spent.name), at),
        trend: after == null || before == null || before === 0 ? null : after / before - 1,
      }
    })
    .sort((a, b) => (b.month.totalCost ?? -1) - (a.month.totalCost ?? -1) || a.name.localeCompare(b.name))
}

/** The sum of what is known; null where nothing is. */
export function sumOf(amounts: readonly (number | null)[]): number | null {
  const known = amounts.filter((amount) => amount !== null)
  return known.length === 0 ? null : known.reduce((sum, amount) => sum + amount, 0)
}
