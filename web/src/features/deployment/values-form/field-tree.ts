import type { FieldConfiguration } from '@quayside/contract/deployment'
import { directivesOf } from '@quayside/contract/values/directives'

export type Path = readonly (string | number)[]

/** A group of the form: a top-level object of the values, or 'General' for everything that stands alone. */
export interface FieldGroup {
  key: string
  label: string
  fields: { field: FieldConfiguration; path: Path }[]
  /** How many inputs it holds. */
  count: number
}

const general = 'General'

/** Top-level scalars come together as General; each top-level object is a group of its own. */
export function groupsOf(fields: readonly FieldConfiguration[]): FieldGroup[] {
  const visible = fields.filter((field) => !directivesOf(field.comments).hidden)
  const alone = visible.filter((field) => field.type !== 'object').map((field) => ({ field, path: [field.name ?? ''] }))
  const groups: FieldGroup[] =
    alone.length > 0
      ? [{ key: '', label: general, fields: alone, count: countOf(alone.map(({ field }) => field)) }]
      : []
  for (const field of visible.filter(({ type }) => type === 'object')) {
    const path = [field.name ?? '']
    const inner = field.objects.map((child) => ({ field: child, path: [...path, child.name ?? ''] }))
    groups.push({
      key: field.name ?? '',
      label: field.label ?? field.name ?? '',
      fields: inner,
      count: countOf(field.objects),
    })
  }
  return groups.filter(({ count }) => count > 0)
}

/** The group worth showing first: the one that asks for most, else the one with most to set. */
export function firstGroup(groups: readonly FieldGroup[]): FieldGroup | undefined {
  const asked = ({ fields }: FieldGroup) => requiredOf(fields.map(({ field }) => field))
  return groups.toSorted((a, b) => asked(b) - asked(a) || b.count - a.count)[0]
}

function requiredOf(fields: readonly FieldConfiguration[]): number {
  let required = 0
  for (const field of fields)
    required += field.type === 'object' ? requiredOf(field.objects) : field.required === true ? 1 : 0
  return required
}

function countOf(fields: readonly FieldConfiguration[]): number {
  let count = 0
  for (const field of fields) {
    if (directivesOf(field.comments).hidden) continue
    count += field.type === 'object' ? countOf(field.objects) : 1
  }
  return count
}

/** Every input of the tree whose name, label or comment matches, with its path. */
export function findFields(
  fields: readonly FieldConfiguration[],
  search: string,
): { field: FieldConfiguration; path: Path }[] {
  const wanted = search.trim().toLowerCase()
  const found: { field: FieldConfiguration; path: Path }[] = []
  const walk = (list: readonly FieldConfiguration[], path: Path) => {
    for (const field of list) {
      if (directivesOf(field.comments).hidden) continue
      const here = [...path, field.name ?? '']
      if (field.type === 'object') walk(field.objects, here)
      else if ([here.join('.'), field.label, ...field.comments].some((text) => text?.toLowerCase().includes(wanted)))
        found.push({ field, path: here })
    }
  }
  walk(fields, [])
  return found
}

/** The value of a field's subtree as plain data. */
export function valueAt(fields: readonly FieldConfiguration[], path: Path): unknown {
  const [head, ...rest] = path
  const field = fields.find(({ name }) => name === head)
  if (field === undefined) return undefined
  return rest.length === 0 ? plainOf(field) : valueAt(field.objects, rest)
}

export function plainOf(field: FieldConfiguration): unknown {
  if (field.type === 'object')
    return Object.fromEntries(field.objects.map((child) => [child.name ?? '', plainOf(child)]))
  if (field.type === 'array') return field.collections.map(plainOf)
  return field.value
}

/** How many values differ from the defaults; a field that only one side has counts too. */
export function countChanges(now: readonly FieldConfiguration[], before: readonly FieldConfiguration[]): number {
  const old = leavesOf(before)
  const current = leavesOf(now)
  let changes = 0
  for (const [path, value] of current) if (!old.has(path) || old.get(path) !== value) changes += 1
  for (const path of old.keys()) if (!current.has(path)) changes += 1
  return changes
}

export function leavesOf(fields: readonly FieldConfiguration[]): Map<string, string> {
  const leaves = new Map<string, string>()
  const walk = (list: readonly FieldConfiguration[], path: string) => {
    for (const field of list) {
      const here = path === '' ? (field.name ?? '') : `${path}.${field.name ?? ''}`
      if (field.type === 'object') walk(field.objects, here)
      else leaves.set(here, JSON.stringify(plainOf(field)) ?? 'undefined')
    }
  }
  walk(fields, '')
  return leaves
}

/** The message of the first validation that the value fails, as the schema says it. */
export function problemOf(field: FieldConfiguration, value: unknown): string | undefined {
  for (const { name, validator, message } of field.validations ?? []) if (fails(name, validator, value)) return message
  return undefined
}

const maxPattern = 200

function fails(name: string, validator: unknown, value: unknown): boolean {
  if (name === 'required') return value === undefined || value === null || value === ''
  if (value === undefined || value === null) return false
  const limit = Number(validator)
  switch (name) {
    case 'minimum':
      return typeof value === 'number' && value < limit
    case 'maximum':
      return typeof value === 'number' && value > limit
    case 'minLength':
      return typeof value === 'string' && value.length < limit
    case 'maxLength':
      return typeof value === 'string' && value.length > limit
    case 'pattern':
      return typeof value === 'string' && value.length <= maxPattern && !matches(String(validator), value)
    default:
      // What is checked nowhere here is checked by the server before Next.
      return false
  }
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value)
  } catch {
    return true
  }
}
