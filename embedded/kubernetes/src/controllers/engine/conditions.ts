import type { Condition } from './pod-kinds.ts'

export function conditionOf(conditions: Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type)
}

export function isTrue(conditions: Condition[] | undefined, type: string): boolean {
  return conditionOf(conditions, type)?.status === 'True'
}

/** The list with this condition in place; its transition time moves only when its status does. */
export function withCondition(conditions: Condition[] | undefined, next: Condition, now: string): Condition[] {
  const list = conditions ?? []
  const before = conditionOf(list, next.type)
  const lastTransitionTime = before?.status === next.status ? before.lastTransitionTime : now
  const placed = { ...next, lastTransitionTime }
  return before ? list.map((condition) => (condition === before ? placed : condition)) : [...list, placed]
}

export function withoutCondition(conditions: Condition[] | undefined, type: string): Condition[] {
  return (conditions ?? []).filter((condition) => condition.type !== type)
}
