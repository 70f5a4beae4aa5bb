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
export function forecastOf(spent: Allocation, recent: Allocation | undefined, at: Date): number | null {
  if (spent.totalCost === null) return null
  const end = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1)
  const hoursLeft = (end - at.getTime()) / 3_600_000
  const perHour = recent?.totalCost == null || recent.minutes === 0 ? 0 : recent.totalCost / (recent.minutes / 60)
  return spent.totalCost + perHour * hoursLeft
}

/** Costs by name, the dearest first. */
export function rowsOf({ month, now, week, weekBefore }: Sets, at = new Date()): CostRow[] {
  const of = (set: Allocations | undefined, name: string) => set?.data[0]?.[name]
  return Object.values(month?.data[0] ?? {})
    .map((spent): CostRow => {
      const [after, before] = [of(week, spent.name)?.totalCost, of(weekBefore, spent.name)?.totalCost]
      return {
        ...{ id: spent.name, name: spent.properties.displayName, month: spent },
        forecast: forecastOf(spent, of(now, spent.name), at),
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
