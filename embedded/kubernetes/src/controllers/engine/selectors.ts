import type { LabelSelector, Requirement } from './pod-kinds.ts'

type Labels = Record<string, string> | undefined

/** Tells whether labels fulfil every requirement; node selectors also know Gt and Lt. */
export function fulfils(labels: Labels, requirements: Requirement[] | undefined): boolean {
  return (requirements ?? []).every(({ key, operator, values = [] }) => {
    const value = labels?.[key]
    switch (operator) {
      case 'In':
        return value !== undefined && values.includes(value)
      case 'NotIn':
        return value === undefined || !values.includes(value)
      case 'Exists':
        return value !== undefined
      case 'DoesNotExist':
        return value === undefined
      case 'Gt':
        return value !== undefined && Number(value) > Number(values[0])
      case 'Lt':
        return value !== undefined && Number(value) < Number(values[0])
      default:
        return false
    }
  })
}

/** Tells whether labels carry all of these pairs. */
export function carries(labels: Labels, pairs: Record<string, string> | undefined): boolean {
  for (const key in pairs) if (labels?.[key] !== pairs[key]) return false
  return true
}

/** A missing selector selects nothing, an empty one everything. */
export function selects(selector: LabelSelector | undefined, labels: Labels): boolean {
  if (!selector) return false
  return carries(labels, selector.matchLabels) && fulfils(labels, selector.matchExpressions)
}
