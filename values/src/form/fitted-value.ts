import { type Effort, fitsWithin, schemasOfName } from '../schema/schema-fits.ts'
import { forbids } from '../schema/schema-forbids.ts'
import { initialOf, partsIn } from '../schema/schema-initial.ts'
import { type ChosenBranch, type JsonObject, type Resolved, resolveSchema } from '../schema/schema-resolve.ts'
import { isRecord } from '../yaml/scalar-text.ts'
import type { Path } from '../yaml/slot.ts'

/** Former values, or the chart's own ones, for a form that has room for them again. */
export interface Former {
  at: (path: Path) => { value: unknown } | undefined
  /** Names below a place of which something is known. */
  names: (path: Path) => readonly string[]
}

/** A value with the form that it has and the one that it shall have. */
export interface Forms {
  schema: unknown
  root: unknown
  whole: Path
  current: number
  choice: number
}

interface Fitting extends Effort {
  former: Former
  /** How many values may still be put in that nobody has written. */
  room: number
  /** How far down that may be. */
  deepest: number
  /** Names that the former form has and the next one does not: their values are removed, also where they might stay. */
  others: ReadonlySet<string>
}

/** Schemas come from strangers, and may hold themselves: what is not done within these is left as it is. */
const maxSteps = 20_000
const maxLooks = 1000
const maxRoom = 500
const maxDepth = 12
const passes = 3

/**
 * A value in another of its forms: what that form has room for stays, what it forbids goes, what it had before comes
 * back, and what it needs beside begins as its schema says.
 */
export function fittedTo({ schema, root, current, choice, whole: path }: Forms, value: unknown, former: Former) {
  const asked = { choice, isForced: true }
  const others = namesOnlyIn(schema, root, value, [{ choice: current, isForced: true }, asked])
  const fitting: Fitting = { root, former, left: maxSteps, room: maxRoom, deepest: path.length + maxDepth, others }
  let result = withConstants(schema, root, value, asked)
  // Conditions look at what was chosen, and then ask for something else.
  for (let pass = 0; pass < passes; pass += 1) result = fitted(fitting, schema, result, path, asked)
  return result
}

function namesOnlyIn(
  schema: unknown,
  root: unknown,
  value: unknown,
  [before, next]: [ChosenBranch, ChosenBranch],
): Set<string> {
  const known = (asked: ChosenBranch) => {
    const flat = resolveSchema(schema, root, value, asked)?.schema
    return [...Object.keys(isRecord(flat?.properties) ? flat.properties : {}), ...listOf(flat?.required)]
  }
  const stays = new Set(known(next))
  return new Set(known(before).filter((name) => !stays.has(name)))
}

function listOf(names: unknown): string[] {
  return Array.isArray(names) ? names.map(String) : []
}

/** Sets the constants first, because they tell the forms apart. */
function withConstants(schema: unknown, root: unknown, value: unknown, asked: ChosenBranch): unknown {
  if (!isRecord(value)) return value
  const properties = resolveSchema(schema, root, value, asked)?.schema.properties
  const entries = Object.entries(isRecord(properties) ? properties : {})
  const fixed = entries.flatMap(([name, inner]) => {
    const one = resolveSchema(inner, root, undefined)?.schema
    return one && 'const' in one ? [[name, one.const] as const] : []
  })
  return { ...value, ...Object.fromEntries(fixed) }
}

function fitted(fitting: Fitting, schema: unknown, value: unknown, path: Path, asked?: ChosenBranch): unknown {
  const resolved = fitting.left > 0 ? resolveSchema(schema, fitting.root, value, asked) : undefined
  if (!resolved) return value
  fitting.left -= resolved.cost
  const flat = resolved.schema
  if (isObject(flat)) return fittedMap(fitting, resolved, value, path, asked !== undefined)
  const isFit = (one: unknown) => one !== undefined && fitsWithin(maxLooks, flat, one, fitting)
  if (isFit(value)) return value
  const before = fitting.former.at(path)?.value
  if (isFit(before)) return before
  const same = converted(flat.type, value)
  if (isFit(same)) return same
  return initialOf(flat, fitting.root)
}

/** The same said in another type: `80` and `"80"`. */
function converted(type: unknown, value: unknown): unknown {
  if (type === 'string' && typeof value === 'number') return String(value)
  const isNumeric = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))
  return (type === 'integer' || type === 'number') && isNumeric ? Number(value) : undefined
}

function isObject({ type, properties, patternProperties }: JsonObject): boolean {
  if (type !== undefined) return type === 'object'
  return (isRecord(properties) && Object.keys(properties).length > 0) || isRecord(patternProperties)
}

function fittedMap(
  fitting: Fitting,
  { schema, parts }: Resolved,
  value: unknown,
  path: Path,
  isChosen: boolean,
): unknown {
  const { root, former } = fitting
  const known = isRecord(schema.properties) ? schema.properties : {}
  const required = listOf(schema.required)
  const before = former.at(path)?.value
  const given = isRecord(value) ? value : isRecord(before) ? before : {}
  const result: Record<string, unknown> = {}
  const isLeft = (name: string) => isChosen && fitting.others.has(name)
  const isOpen = (name: string) => name !== '__proto__' && !isLeft(name) && !forbids(parts, name, fitting)
  const fit = (name: string, one: unknown) => {
    const [own] = schemasOfName(schema as Record<string, unknown>, name)
    const inner = own ?? schema.additionalProperties
    return isRecord(inner) ? fitted(fitting, inner, one, [...path, name]) : one
  }
  for (const [name, one] of Object.entries(given)) if (isOpen(name)) result[name] = fit(name, one)
  for (const name of former.names(path)) {
    const was = former.at([...path, name])
    if (was?.value !== undefined && !Object.hasOwn(result, name) && isOpen(name)) result[name] = fit(name, was.value)
  }
  for (const [name, inner] of Object.entries(known)) {
    if (Object.hasOwn(result, name) || !isOpen(name)) continue
    if (!required.includes(name) && !(isChosen && isConstant(inner, root))) continue
    const beginning = initialOf(inner, root)
    fitting.room -= partsIn(beginning)
    if (fitting.room >= 0 && path.length < fitting.deepest) result[name] = fit(name, beginning)
  }
  return result
}

function isConstant(schema: unknown, root: unknown): boolean {
  const flat = resolveSchema(schema, root, undefined)?.schema
  return flat !== undefined && 'const' in flat
}
