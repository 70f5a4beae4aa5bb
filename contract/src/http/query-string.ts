/**
 * The portal's query dialect: nested values in dot notation, `;` between parameters, arrays by repeating the key,
 * nulls and empty values left out. Values are not encoded, except the four characters that would change the query.
 * Two literal forms are read as well: `page=skip=0;limit=100` and `filters=visible=true&enabled=true`.
 */
type QueryValue = string | string[] | QueryRecord
interface QueryRecord {
  [key: string]: QueryValue
}

const limits = { length: 4096, parameters: 40, depth: 4 }
const topLevel = new Set(['search', 'filters', 'fields', 'sort', 'page'])
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

export class QueryStringError extends Error {
  override name = 'QueryStringError'
}

export function encodeQuery(value: Record<string, unknown>): string {
  const pairs: string[] = []
  const add = (key: string, inner: unknown): void => {
    if (inner === null || inner === undefined || inner === '') return
    if (Array.isArray(inner)) for (const one of inner) add(key, one)
    else if (typeof inner === 'object')
      for (const [name, one] of Object.entries(inner)) add(key ? `${key}.${name}` : name, one)
    else pairs.push(`${key}=${escapeValue(String(inner))}`)
  }
  add('', value)
  return pairs.join(';')
}

function escapeValue(text: string): string {
  return text.replace(/[;&#%+\s]/g, (char) => encodeURIComponent(char))
}

/** Reads a raw query string, with or without its `?`. Throws QueryStringError past the limits. */
export function decodeQuery(raw: string): QueryRecord {
  const text = raw.startsWith('?') ? raw.slice(1) : raw
  if (text.length > limits.length) throw new QueryStringError(`The query is longer than ${limits.length} characters.`)
  const result: QueryRecord = Object.create(null)
  const parameters = text.split(/[;&]/).filter((part) => part !== '')
  if (parameters.length > limits.parameters)
    throw new QueryStringError(`The query has more than ${limits.parameters} parameters.`)
  let literal: string | undefined
  for (const parameter of parameters) {
    const at = parameter.indexOf('=')
    const key = readEscaped(at < 0 ? parameter : parameter.slice(0, at))
    const value = at < 0 ? '' : parameter.slice(at + 1)
    const isLiteral = (key === 'page' || key === 'filters') && value.includes('=')
    if (isLiteral) {
      literal = key
      assign(result, `${key}.${value.slice(0, value.indexOf('='))}`, readEscaped(value.slice(value.indexOf('=') + 1)))
      continue
    }
    const head = key.split('.')[0] ?? ''
    if (literal && !topLevel.has(head)) assign(result, `${literal}.${key}`, readEscaped(value))
    else assign(result, key, readEscaped(value))
  }
  return result
}

function readEscaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function assign(into: QueryRecord, key: string, value: string): void {
  const path = key.split('.')
  if (path.length > limits.depth) throw new QueryStringError(`The parameter ${path[0]} is nested too deeply.`)
  if (path.some((name) => name === '' || forbidden.has(name))) return
  let node = into
  for (const name of path.slice(0, -1)) {
    const next = node[name]
    const child: QueryRecord = isRecord(next) ? next : Object.create(null)
    node[name] = child
    node = child
  }
  const last = path.at(-1) as string
  const known = node[last]
  if (known === undefined || isRecord(known)) node[last] = value
  else node[last] = Array.isArray(known) ? [...known, value] : [known, value]
}

function isRecord(value: QueryValue | undefined): value is QueryRecord {
  return typeof value === 'object' && !Array.isArray(value)
}
