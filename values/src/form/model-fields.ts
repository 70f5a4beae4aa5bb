import type { Shape } from '../schema/schema-shape.ts'
import type { Path } from '../yaml/slot.ts'
import type { FieldConfiguration } from './field-configuration.ts'
import { type Budget, unsetFields } from './unset-fields.ts'

type Fields = readonly FieldConfiguration[]

/** The fields with those of one level changed; undefined where no such level is shown, or it cannot stay what it is. */
export function withLevelFields(
  fields: Fields,
  path: Path,
  shapes: readonly (Shape | undefined)[],
  change: (siblings: Fields) => FieldConfiguration[] | undefined,
): FieldConfiguration[] | undefined {
  const [part, ...rest] = path
  if (part === undefined) return change(fields)
  const at = fields.findIndex((field, index) => (field.name === null ? index === Number(part) : field.name === part))
  const field = fields[at]
  if (!field || (field.type !== 'object' && field.type !== 'array')) return undefined
  const key = field.type === 'array' ? 'collections' : 'objects'
  const inner = withLevelFields(field[key], rest, shapes.slice(1), change)
  if (!inner) return undefined
  const choices = shapes[1]?.choices ?? []
  const changed = { ...field, [key]: inner, ...(choices.length > 1 ? { choices } : {}) }
  return fields.map((one, index) => (index === at ? changed : one))
}

interface Entries {
  kind: 'map' | 'list'
  from: number
  gone: readonly (string | number)[]
  fields: Fields
  budget: Budget
  shape: Shape | undefined
  /** Fields of the chart's own values at this level. */
  inherited: Fields
}

/** Siblings with the fields of some entries in place of others. A field keeps its place, also when it is set first. */
export function withEntries(siblings: Fields, entries: Entries): FieldConfiguration[] | undefined {
  return entries.kind === 'list' ? withItems(siblings, entries) : withNamed(siblings, entries)
}

function withItems(siblings: Fields, { from, gone, fields }: Entries): FieldConfiguration[] | undefined {
  const types = new Set([...siblings, ...fields].map(({ type }) => type))
  if (types.size > 1 || types.has('yaml')) return undefined
  return [...siblings.slice(0, from), ...fields, ...siblings.slice(from + gone.length)]
}

function withNamed(siblings: Fields, { gone, fields, budget, shape, inherited }: Entries): FieldConfiguration[] {
  const fresh = new Map(fields.map((field) => [field.name, field]))
  const last = siblings.findLastIndex(({ name }) => name !== null && gone.includes(name))
  const known = new Set(siblings.map(({ name }) => name))
  const added = fields.filter(({ name }) => !known.has(name))
  const stays = new Set([...siblings.map(({ name }) => name), ...fresh.keys()].filter((name) => name !== null))
  const kept = siblings.flatMap((field, index) => {
    const behind = index === last ? added : []
    const now = fresh.get(field.name)
    if (now) return [now, ...behind]
    if (field.name === null || !gone.includes(field.name)) return [field, ...behind]
    const own = inherited.filter(({ name }) => name === field.name)
    if (own.length > 0) return [...own, ...behind]
    const others = [...stays].filter((name) => name !== field.name)
    return [...unsetFields(budget, others, shape), ...behind]
  })
  // A null that takes away what the chart has shows no field, so a new one may find none to stand behind.
  return last < 0 ? [...kept, ...added] : kept
}
