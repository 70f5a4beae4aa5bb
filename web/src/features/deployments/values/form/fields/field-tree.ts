import { type Directives, directivesOf } from '@quayside/values/form/directives'
import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import type { ListField } from '@quayside/values/form/field-types'
import { isMultipleOf } from '@quayside/values/schema/multiple-of'
import { matches } from '@quayside/values/schema/schema-fits'
import { valueAt as plainAt } from '@quayside/values/yaml/plain-values'
import { isChangedFrom } from '../is-changed.ts'
import { emptyLayout, inLayout } from '../layout.ts'
import { secretFieldOf } from './secret-fields.ts'

export type Path = readonly (string | number)[]

/** A field with its place; what stands in something masked is masked as well. */
interface Placed {
  field: FieldConfiguration
  path: Path
  masked: boolean
}

/** A group of the form: a top-level object of the values, or 'General' for everything that stands alone. */
export interface FieldGroup {
  key: string
  label: string
  fields: Placed[]
  /** How many inputs it holds. */
  count: number
}

const general = 'General'

/** Fields are never changed, so what is found out about one holds as long as it is there. */
function remembered<T>(find: (field: FieldConfiguration) => T): (field: FieldConfiguration) => T {
  const known = new WeakMap<FieldConfiguration, { is: T }>()
  return (field) => {
    const before = known.get(field)
    if (before) return before.is
    const is = find(field)
    known.set(field, { is })
    return is
  }
}

export const saidOf: (field: FieldConfiguration) => Directives = remembered(({ comments }) => directivesOf(comments))
const inputsIn = remembered((field): number =>
  saidOf(field).hidden ? 0 : field.type === 'object' ? countOf(field.objects) + (field.map ? 1 : 0) : 1,
)

/** Top-level scalars come together as General; each top-level object is a group of its own, and stays what it was. */
export function groupsOf(fields: readonly FieldConfiguration[], layout = emptyLayout()): FieldGroup[] {
  const visible = inLayout(layout, fields, isGroup).filter((field) => !saidOf(field).hidden)
  const isOwn = ({ name }: FieldConfiguration) => layout.groups.get(name ?? '') === true
  const alone = visible.filter((field) => !isOwn(field)).map((field) => placed(field, [], false))
  const groups: FieldGroup[] =
    alone.length > 0
      ? [{ key: '', label: general, fields: alone, count: countOf(alone.map(({ field }) => field)) }]
      : []
  // A choice that asks for nothing is still one.
  return [...groups, ...visible.filter(isOwn).map(groupOf)].filter(
    ({ count, fields: inner }) => count > 0 || inner.some(({ field }) => field.choices),
  )
}

/** Stays the same as long as its field does. */
const groupOf = remembered((field): FieldGroup => {
  const isWhole = field.type !== 'object' || field.map !== undefined || field.choices !== undefined
  const { masked } = saidOf(field)
  const isSecret = secretFieldOf(field.name, field.objects)
  return {
    key: field.name ?? '',
    label: field.label ?? field.name ?? '',
    fields: isWhole
      ? [placed(field, [], false)]
      : field.objects.map((child) => placed(child, [field.name ?? ''], masked || isSecret(child))),
    count: inputsIn(field),
  }
})

function placed(field: FieldConfiguration, above: Path, masked: boolean): Placed {
  return { field, path: [...above, field.name ?? ''], masked }
}

/** Objects are; a map of nothing but free names is one field among others. */
function isGroup({ type, map }: FieldConfiguration): boolean {
  return type === 'object' && (map === undefined || map.known.length > 0)
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
  return fields.reduce((count, field) => count + inputsIn(field), 0)
}

/**
 * Every input of the tree whose name, label or comment matches, with its path; those with a matching name or label come
 * first. In lists and in maps with free names the matching entries are found; the whole list or map is found where only
 * the template of a new entry matches.
 */
export function findFields(fields: readonly FieldConfiguration[], search: string): Placed[] {
  const wanted = search.trim().toLowerCase()
  const named: Placed[] = []
  const described: Placed[] = []
  const isWanted = (text: string | null | undefined) => text?.toLowerCase().includes(wanted) === true
  const walk = (list: readonly FieldConfiguration[], above: Path, masked: boolean) => {
    for (const field of list) {
      const said = saidOf(field)
      if (said.hidden) continue
      const one = placed(field, above, masked)
      const isIn = [one.path.join('.'), field.label].some(isWanted)
      if (field.type === 'object' && !field.map) walkInto(field, one)
      else if (isIn) named.push(one)
      else if (field.comments.some(isWanted)) described.push(one)
      else if (hasEntries(field)) walkEntries(field, one)
    }
  }
  const walkInto = (field: FieldConfiguration, { path, masked }: Placed) => {
    const isSecret = secretFieldOf(field.name, field.objects)
    for (const child of field.objects) walk([child], path, masked || saidOf(field).masked || isSecret(child))
  }
  const walkEntries = (field: FieldConfiguration, one: Placed) => {
    const before = named.length + described.length
    if (field.type === 'object') walkInto(field, one)
    for (const [index, entry] of field.collections.entries())
      if (entry.type === 'object')
        walkInto(entry, { ...one, path: [...one.path, index], masked: one.masked || saidOf(field).masked })
    const template = field.type === 'array' ? field.objects[0] : field.map?.template
    const isOfNext = template !== undefined && findFields(template.objects, search).length > 0
    if (isOfNext && named.length + described.length === before) described.push(one)
  }
  walk(fields, [], false)
  return [...named, ...described]
}

function hasEntries({ type, map }: FieldConfiguration): boolean {
  return type === 'array' || (type === 'object' && map !== undefined)
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
    return Object.fromEntries(field.objects.filter(isSet).map((child) => [child.name ?? '', plainOf(child)]))
  if (field.type === 'array') return field.collections.map(plainOf)
  return field.value
}

/** How many values differ from the defaults; a field that only one side has counts too. */
export function countChanges(now: readonly FieldConfiguration[], before: readonly FieldConfiguration[]): number {
  const old = new Map(before.map((field) => [field.name, field]))
  const names = new Set(now.map(({ name }) => name))
  const gone = before.filter((field) => !names.has(field.name) && isSet(field))
  return now.reduce((sum, field) => sum + changesOf(field, old.get(field.name)), gone.length)
}

const counted = new WeakMap<FieldConfiguration, { before: FieldConfiguration | undefined; changes: number }>()

function changesOf(field: FieldConfiguration, before: FieldConfiguration | undefined): number {
  const known = counted.get(field)
  if (known && known.before === before) return known.changes
  const isInside = field.type === 'object' && (before === undefined || before.type === 'object')
  const isOther = () => isChangedFrom(field, plainOf(field), before && JSON.stringify(plainOf(before)))
  const changes = isInside
    ? countChanges(field.objects, before?.objects ?? [])
    : Number((before !== undefined || isSet(field)) && isOther())
  counted.set(field, { before, changes })
  return changes
}

function isSet(field: FieldConfiguration): boolean {
  if (field.type === 'object') return field.objects.some(isSet)
  return field.type === 'array' ? field.collections.length > 0 : field.value !== undefined
}

/** Every input that is set, by its dotted path, as JSON. */
export function leavesOf(fields: readonly FieldConfiguration[]): Map<string, string> {
  const leaves = new Map<string, string>()
  const walk = (list: readonly FieldConfiguration[], path: string) => {
    for (const field of list) {
      const here = path === '' ? (field.name ?? '') : `${path}.${field.name ?? ''}`
      const json = field.type === 'object' ? undefined : JSON.stringify(plainOf(field))
      if (field.type === 'object') walk(field.objects, here)
      else if (json !== undefined) leaves.set(here, json)
    }
  }
  walk(fields, '')
  return leaves
}

/** Tells whether a map with names of one's own has other entries than before, or others in them. */
export function isMapChanged(field: FieldConfiguration, path: Path, before: ReadonlyMap<string, string>): boolean {
  if (path.some((part) => typeof part === 'number')) return false
  const above = path.join('.')
  const now = leavesOf(field.objects)
  const known = [...before].filter(([key]) => key.startsWith(`${above}.`))
  if (known.length !== now.size) return true
  return known.some(([key, json]) => {
    const leaf = now.get(key.slice(above.length + 1))
    return leaf === undefined || isChangedFrom({ type: 'object' }, JSON.parse(leaf), json)
  })
}

/** The message of the first validation that the value fails, as the schema says it. */
export function problemOf(field: FieldConfiguration, value: unknown, isAsked = true): string | undefined {
  for (const { name, validator, message } of field.validations ?? [])
    if ((isAsked || name !== 'required') && fails(name, validator, value)) return message
  return undefined
}

/** The problem to show beside a field: nobody is asked for what the chart itself has left empty. */
export function shownProblemOf(field: FieldConfiguration, path: Path, before: ReadonlyMap<string, string>) {
  const value = writtenIn(field)
  const isEmpty = value === '' || value === null
  return problemOf(field, value, !isEmpty || value !== valueInChart(before, path))
}

/** The value that is set; undefined for an unset field, which only the rule `required` looks at. */
export function writtenIn(field: FieldConfiguration): unknown {
  return (field as ListField).isUnset ? undefined : plainOf(field)
}

function valueInChart(before: ReadonlyMap<string, string>, path: Path): unknown {
  for (let end = path.length; end > 0; end -= 1) {
    const json = before.get(path.slice(0, end).join('.'))
    if (json !== undefined) return plainAt(JSON.parse(json), path.slice(end))
  }
  return undefined
}

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
      return typeof value === 'string' && !matches(String(validator), value)
    case 'exclusiveMinimum':
      return typeof value === 'number' && value <= limit
    case 'exclusiveMaximum':
      return typeof value === 'number' && value >= limit
    case 'multipleOf':
      return typeof value === 'number' && !isMultipleOf(value, limit)
    case 'integer':
      return typeof value === 'number' && !Number.isInteger(value)
    case 'minItems':
      return Array.isArray(value) && value.length < limit
    case 'maxItems':
      return Array.isArray(value) && value.length > limit
    default:
      // The server checks all other rules before Next opens.
      return false
  }
}
