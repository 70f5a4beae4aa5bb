/** The part of a published API description that requests are made from. */
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

interface Operation {
  operationId?: string
  parameters?: { name: string; in: string; schema?: Schema }[]
  requestBody?: { content?: Record<string, { schema?: Schema }> }
}

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: Schema | boolean
  minItems?: number
  minLength?: number
  minimum?: number
  pattern?: string
  default?: unknown
}

/** One request that a caller could send. */
export interface Case {
  method: string
  /** The operation, and the part of it that is hostile. */
  about: string
  path: string
  body?: unknown
}

interface Fuzzing {
  document: ApiDocument
  /** Texts and other values that stand where something else is expected. */
  hostile: readonly unknown[]
  /** Ids of things that are there, by the word in the path before them. */
  ids: Readonly<Record<string, string>>
  /** Takes one request of so many: 1 takes all. */
  every: number
}

/** Requests to every operation of a document, each with one hostile part, and the rest as the operation takes it. */
export function* casesOf({ document, hostile, ids, every }: Fuzzing): Generator<Case> {
  let all = 0
  for (const [template, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      for (const one of casesOfOperation(document, template, operation, hostile, ids)) {
        all += 1
        // Counted over all operations, so that each is asked with other values than the one before.
        if (all % every !== 0) continue
        yield { ...one, method: method.toUpperCase(), about: `${method.toUpperCase()} ${template}: ${one.about}` }
      }
    }
  }
}

function* casesOfOperation(
  document: ApiDocument,
  template: string,
  operation: Operation,
  hostile: readonly unknown[],
  ids: Fuzzing['ids'],
): Generator<Omit<Case, 'method'>> {
  const schema = operation.requestBody?.content?.['application/json']?.schema
  const good = schema && sample(document, schema, 0)
  const path = pathWith(template, ids)
  const body = good === undefined ? {} : { body: good }
  if (schema) {
    yield { about: 'an empty body', path, body: {} }
    for (const odd of [null, [], 'text', 1]) yield { about: `a body that is ${JSON.stringify(odd)}`, path, body: odd }
  }
  for (const value of hostile) {
    const shown = shownOf(value)
    for (const place of leavesOf(good)) {
      yield { about: `${place.join('.')} is ${shown}`, path, body: replaced(good, place, value) }
    }
    if (typeof value !== 'string') continue
    const text = encodeURIComponent(value.toWellFormed())
    for (const name of [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')) {
      yield { about: `{${name}} is ${shown}`, path: pathWith(template, ids, { [name]: text }), ...body }
    }
    const queries = [
      'search',
      'filters',
      'filters.kind',
      'filters.name',
      'sort.name',
      'page.skip',
      'page.limit',
      'fields',
    ]
    const own = (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name)
    for (const name of new Set([...queries, ...own])) {
      yield { about: `?${name} is ${shown}`, path: `${path}?${name}=${text}`, ...body }
    }
  }
}

/** How a value is written in what a request is about. */
export const shownOf = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 60 ? `${text.slice(0, 60)}… (${text.length})` : text
}

function pathWith(template: string, ids: Fuzzing['ids'], given: Record<string, string> = {}): string {
  return template.replace(/([^/]*)\/\{(\w+)\}/g, (_, before: string, name: string) => {
    return `${before}/${given[name] ?? ids[before] ?? ids[name] ?? 'abc1234'}`
  })
}

/** The places in a value where a single thing stands, the empty ends among them. */
function leavesOf(value: unknown, place: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return place.length > 0 ? [place] : []
  const inner = Object.entries(value).flatMap(([key, one]) =>
    leavesOf(one, [...place, Array.isArray(value) ? Number(key) : key]),
  )
  return inner.length > 0 ? inner : [place].filter(({ length }) => length > 0)
}

function replaced(value: unknown, [first, ...rest]: (string | number)[], by: unknown): unknown {
  if (first === undefined) return by
  if (Array.isArray(value)) return value.map((one, index) => (index === first ? replaced(one, rest, by) : one))
  const fields = value as Record<string, unknown>
  return { ...fields, [first]: replaced(fields[first], rest, by) }
}

/** A value that a schema takes, with every property that it names. */
function sample(document: ApiDocument, schema: Schema, depth: number): unknown {
  if (depth > 6) return null
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return sample(document, document.components?.schemas?.[name] ?? {}, depth + 1)
  }
  const [first] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  if (first) return sample(document, first, depth + 1)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const type = [schema.type].flat()[0]
  if (type === 'object' || schema.properties) {
    const entries = Object.entries(schema.properties ?? {}).map(([key, one]) => [key, sample(document, one, depth + 1)])
    const extra = typeof schema.additionalProperties === 'object' && entries.length === 0
    return extra
      ? { key: sample(document, schema.additionalProperties as Schema, depth + 1) }
      : Object.fromEntries(entries)
  }
  if (type === 'array') return [sample(document, schema.items ?? {}, depth + 1)]
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1
  if (type === 'boolean') return false
  return textFor(schema)
}

const texts = ['abc1234', '#3b6fd4', 'a: 1\n', 'quayside-viewer']

/** A text that fits a pattern, where one of a few does. */
function textFor({ pattern, minLength = 1 }: Schema): string {
  const expression = pattern && new RegExp(pattern, 'u')
  const found = texts.find((text) => text.length >= minLength && (!expression || expression.test(text)))
  return found ?? 'a'.repeat(Math.max(1, minLength))
}
