import type { Labels } from './expression.ts'

export const NAME = '__name__'

/** Labels with values, in the order of their names; an empty value is no label. */
export function labelsOf(entries: Iterable<readonly [string, string]>): Labels {
  return new Map([...entries].filter(([, value]) => value !== '').sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** A text that two sets of labels share when they are the same. */
export function keyOf(labels: Labels): string {
  let key = ''
  for (const [name, value] of labels) key += `${name}\u0000${value}\u0001`
  return key
}

/** Those labels that are in the list, or with `without` those that are not and no name of a metric. */
export function groupingOf(labels: Labels, names: readonly string[], without: boolean): Labels {
  if (without) return new Map([...labels].filter(([name]) => name !== NAME && !names.includes(name)))
  return new Map([...labels].filter(([name]) => names.includes(name)))
}

export function withoutName(labels: Labels): Labels {
  return labels.has(NAME) ? groupingOf(labels, [], true) : labels
}
