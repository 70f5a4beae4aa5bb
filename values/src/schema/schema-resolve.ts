import { isRecord } from '../yaml/scalar-text.ts'
import { remembered } from './remembered.ts'
import { type Effort, fits, pointed } from './schema-fits.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** A schema with its references followed, its parts laid over each other and its conditions decided for a value. */
export interface Resolved {
  schema: JsonObject
  /** The forms that a value may take, when there are several, and the one it has. */
  branches: readonly unknown[]
  branch: number
  /** Results of the schema's conditions, as a text; another text means another form. */
  variant: string
  /** Parts that were merged into the schema, each unchanged: a name that one part forbids stays forbidden. */
  parts: readonly JsonObject[]
  /** How many schemas were looked at for it. */
  cost: number
}

interface Work extends Effort {
  variant: string[]
  branches: readonly unknown[]
  branch: number
  parts: JsonObject[]
  asked: ChosenBranch
}

/** A form that is asked for, or only preferred as long as the value can have it. */
export type ChosenBranch = { choice: number; isForced: boolean } | undefined

const maxHops = 32
const maxSteps = 600

export function resolveSchema(
  schema: unknown,
  root: unknown,
  value: unknown,
  asked?: ChosenBranch,
): Resolved | undefined {
  return value === undefined && asked === undefined
    ? withoutValue(schema, root)
    : resolveAnew(schema, root, value, asked)
}

const withoutValue = remembered((schema, root) => resolveAnew(schema, root, undefined))

function resolveAnew(schema: unknown, root: unknown, value: unknown, asked?: ChosenBranch): Resolved | undefined {
  const work: Work = { root, left: maxSteps, variant: [], branches: [], branch: 0, parts: [], asked }
  const flat = flattened(work, schema, value, 0)
  const { branches, branch, parts } = work
  const cost = maxSteps - work.left
  return flat && { schema: flat, branches, branch, parts, variant: work.variant.join(''), cost }
}

function flattened(work: Work, schema: unknown, value: unknown, hops: number): JsonObject | undefined {
  work.left -= 1
  if (!isRecord(schema) || hops > maxHops || work.left <= 0) return undefined
  let result: JsonObject = {}
  const lay = (part: unknown) => {
    const flat = flattened(work, part, value, hops + 1)
    if (flat) result = laid(result, flat)
  }
  for (const reference of [schema.$ref, schema.$dynamicRef]) {
    if (typeof reference === 'string') lay(pointed(work.root, reference))
  }
  for (const part of Array.isArray(schema.allOf) ? schema.allOf.slice(0, 50) : []) lay(part)
  const { $ref, $dynamicRef, allOf, if: _if, then: _then, else: _else, ...own } = schema
  const { oneOf, anyOf, ...plain } = own
  const choice = choiceOf(oneOf ?? anyOf)
  result = laid(result, choice.length > 0 ? plain : own)
  work.parts.push(choice.length > 0 ? plain : own)
  for (const part of conditional(work, schema, value)) lay(part)
  const [only] = choice
  if (choice.length === 1) lay(only)
  else if (choice.length > 1) {
    const index = askedOf(work, choice, value) ?? bestOf(work, choice, value)
    work.variant.push(`${index}.`)
    if (work.branches.length === 0) Object.assign(work, { branches: choice, branch: index })
    const { title: _title, description: _about, ...branch } = flattened(work, choice[index], value, hops + 1) ?? {}
    result = laid(result, branch)
  } else if (Array.isArray(plain.type)) result = typed(work, result, value)
  return result
}

/** The parts that hold for this value: `then` or `else`, and what depends on a property that is there. */
function conditional(work: Work, schema: JsonObject, value: unknown): unknown[] {
  const found: unknown[] = []
  if (schema.if !== undefined && value !== undefined) {
    const isMet = fits(schema.if, value, work)
    work.variant.push(isMet ? 't' : 'e')
    found.push(isMet ? schema.then : schema.else)
  }
  const keys = isRecord(value) ? value : {}
  const rules = [schema.dependentSchemas, schema.dependentRequired, schema.dependencies].filter(isRecord)
  for (const [name, rule] of rules.flatMap((each) => Object.entries(each))) {
    const isThere = Object.hasOwn(keys, name)
    work.variant.push(isThere ? 'd' : '-')
    if (isThere) found.push(Array.isArray(rule) ? { required: rule } : rule)
  }
  return found
}

/** The alternatives that make a difference to a form: those that only say which names are needed do not. */
function choiceOf(parts: unknown): unknown[] {
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > 50) return []
  const real = parts.filter(isRecord)
  if (real.length !== parts.length || real.every((part) => 'const' in part && typeof part.const !== 'object')) return []
  const telling = ['type', 'properties', 'const', 'enum', '$ref', 'allOf', 'oneOf', 'anyOf', 'items', 'title']
  if (!real.every((part) => telling.some((key) => key in part))) return []
  const some = real.filter((part) => part.type !== 'null')
  // Something or nothing is that something, which may be empty.
  return some.length === 1 ? some : real
}

/** The form that was asked for, at the first choice there is. */
function askedOf({ asked, branches, ...work }: Work, parts: readonly unknown[], value: unknown): number | undefined {
  if (asked === undefined || branches.length > 0 || asked.choice >= parts.length) return undefined
  return asked.isForced || value === undefined || fits(parts[asked.choice], value, work) ? asked.choice : undefined
}

/** The form that the value has; else, as somebody may be about to mend it, the one that it is likest. */
function bestOf(work: Work, parts: readonly unknown[], value: unknown): number {
  if (value === undefined) return 0
  const fitting = parts.findIndex((part) => fits(part, value, work))
  if (fitting >= 0) return fitting
  const scores = parts.map((part) => {
    const copy: Work = { ...work, variant: [], parts: [], branches: [], asked: undefined }
    return likeness(flattened(copy, part, undefined, 1), part, value, work)
  })
  return scores.indexOf(Math.max(...scores))
}

/** How much a value is like a form that it does not fit: what is fixed there counts most. */
function likeness(flat: JsonObject | undefined, part: unknown, value: unknown, work: Work): number {
  const type = flat?.type ?? (isRecord(part) && 'properties' in part ? 'object' : undefined)
  if (!fits({ type }, value, work)) return -1000
  if (!isRecord(value)) return 0
  const properties = isRecord(flat?.properties) ? flat.properties : {}
  let score = 0
  for (const [name, schema] of Object.entries(properties)) {
    if (!Object.hasOwn(value, name) || value[name] === null) continue
    const isFixed = isRecord(schema) && ('const' in schema || 'enum' in schema)
    score += isFixed ? (fits(schema, value[name], work) ? 20 : -20) : 1
  }
  const missing = Array.isArray(flat?.required)
    ? flat.required.filter((name) => !Object.hasOwn(value, String(name)))
    : []
  const strange = Object.keys(value).filter((name) => value[name] !== null && !Object.hasOwn(properties, name))
  return score - missing.length - (flat?.additionalProperties === false ? strange.length : 0)
}

/** `type: [string, integer]` is a choice between the two. */
function typed(work: Work, schema: JsonObject, value: unknown): JsonObject {
  const types = (schema.type as unknown[]).filter((type) => typeof type === 'string' && type !== 'null')
  if (types.length < 2 || Array.isArray(schema.enum) || 'const' in schema) return schema
  const forms = types.map((type) => ({ ...schema, type }))
  const fitting = types.findIndex((type) => fits({ type }, value, work))
  const index = askedOf(work, forms, value) ?? Math.max(0, fitting)
  work.variant.push(`${index}:`)
  if (work.branches.length === 0) Object.assign(work, { branches: forms, branch: index })
  return { ...schema, type: types[index] }
}

function laid(below: JsonObject, above: JsonObject): JsonObject {
  const properties: Record<string, unknown> = { ...(isRecord(below.properties) ? below.properties : {}) }
  for (const [name, schema] of Object.entries(isRecord(above.properties) ? above.properties : {})) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined
    properties[name] = isRecord(known) && isRecord(schema) && known !== schema ? { allOf: [known, schema] } : schema
  }
  const names = [below.required, above.required].flatMap((list) => (Array.isArray(list) ? list : []))
  return { ...below, ...above, properties, required: [...new Set(names)] }
}
