/** A text that was asked for this often is worth a plan that the database keeps. */
const worthAfter = 5
/** Searches have many shapes; those asked for all the time are few. Each connection keeps its own plans. */
const mostTexts = 300

/** The name under which the database keeps the plan of a statement; undefined when it is not asked for often. */
export type PlanNames = (text: string) => string | undefined

/**
 * Half of what a short statement costs the database is reading and planning it, so those that come again and again are
 * named, and it keeps their plans.
 */
export function createPlanNames(): PlanNames {
  const asked = new Map<string, number>()
  const names = new Map<string, string>()
  return (text) => {
    const name = names.get(text)
    if (name !== undefined || names.size >= mostTexts) return name
    const count = (asked.get(text) ?? 0) + 1
    if (asked.size >= mostTexts) asked.clear()
    asked.set(text, count)
    if (count < worthAfter) return undefined
    asked.delete(text)
    names.set(text, `kept_${names.size}`)
    return names.get(text)
  }
}

/** A migration has changed a table under a kept plan: the connection that keeps it is of no use any more. */
export function isOutdatedPlan(error: unknown): boolean {
  return error instanceof Error && error.message === 'cached plan must not change result type'
}
