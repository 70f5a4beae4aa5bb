/**
 * A set of field paths in the form managedFields has it: `f:name` for a member, `k:{…}` for a list item by its keys,
 * `v:…` for an item of a set. A node without children is in the set; one with children is when it holds `.`.
 */
export interface FieldSet {
  [element: string]: FieldSet
}

const SELF = '.'

/** Elements below a node, without the mark of the node itself. */
export const elementsOf = (set: FieldSet): string[] => Object.keys(set).filter((element) => element !== SELF)

const isMember = (set: FieldSet): boolean => SELF in set || Object.keys(set).length === 0

/** A node from its parts; undefined when nothing is left of it. */
export function node(
  member: boolean,
  children: readonly (readonly [string, FieldSet | undefined])[],
): FieldSet | undefined {
  const kept = children.filter((entry): entry is readonly [string, FieldSet] => entry[1] !== undefined)
  if (kept.length === 0) return member ? {} : undefined
  const made: FieldSet = member ? { [SELF]: {} } : {}
  for (const [element, child] of kept) made[element] = child
  return made
}

export function union(a: FieldSet | undefined, b: FieldSet | undefined): FieldSet | undefined {
  if (!a) return b
  if (!b || a === b) return a
  const elements = new Set([...elementsOf(a), ...elementsOf(b)])
  return node(
    isMember(a) || isMember(b),
    [...elements].map((element) => [element, union(a[element], b[element])] as const),
  )
}

/** Fields in `a` that are not in `b`. */
export function difference(a: FieldSet | undefined, b: FieldSet | undefined): FieldSet | undefined {
  if (!a || !b) return a
  return node(
    isMember(a) && !isMember(b),
    elementsOf(a).map((element) => [element, difference(a[element], b[element])] as const),
  )
}

export function intersection(a: FieldSet | undefined, b: FieldSet | undefined): FieldSet | undefined {
  if (!a || !b) return undefined
  return node(
    isMember(a) && isMember(b),
    elementsOf(a).map((element) => [element, intersection(a[element], b[element])] as const),
  )
}

function shownElement(element: string): string {
  const rest = element.slice(2)
  if (element.startsWith('f:')) return `.${rest}`
  if (element.startsWith('v:')) return `[=${rest}]`
  const keys = JSON.parse(rest) as Record<string, unknown>
  const pairs = Object.entries(keys).map(([key, value]) => `${key}=${JSON.stringify(value)}`)
  return `[${pairs.join(',')}]`
}

/** Every path of the set as conflict messages show it: `.spec.containers[name="web"].image`. */
export function pathsOf(set: FieldSet | undefined, prefix = ''): string[] {
  if (!set) return []
  const own = isMember(set) && prefix !== '' ? [prefix] : []
  return [...own, ...elementsOf(set).flatMap((element) => pathsOf(set[element], prefix + shownElement(element)))]
}
