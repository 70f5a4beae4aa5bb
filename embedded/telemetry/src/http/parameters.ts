import { type Matcher, QueryError } from '../promql/expression.ts'
import { numberOf } from '../promql/literals.ts'
import { parseQuery } from '../promql/parse.ts'

const MOST_QUERY = 65_536

export function textParameter(given: URLSearchParams, name: string): string {
  const text = given.get(name)
  if (text === null || text === '') throw new QueryError(`invalid parameter "${name}": it is missing`)
  if (text.length > MOST_QUERY) throw new QueryError(`invalid parameter "${name}": it is longer than ${MOST_QUERY}`)
  return text
}

/** Milliseconds since 1970, from seconds or a date of RFC 3339. */
export function timeParameter(given: URLSearchParams, name: string, fallback?: number): number {
  const text = given.get(name)
  if (text === null && fallback !== undefined) return fallback
  const seconds = Number(text)
  const isDate = text !== null && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text)
  const time = isDate ? Date.parse(text) : Math.round(seconds * 1000)
  if (text !== null && text !== '' && Number.isSafeInteger(time)) return time
  throw new QueryError(`invalid parameter "${name}": cannot parse ${JSON.stringify(text ?? '')} to a valid timestamp`)
}

/** Milliseconds, from seconds or a duration such as `1m`. */
export function durationParameter(given: URLSearchParams, name: string, fallback?: number): number {
  const text = given.get(name)
  if (text === null && fallback !== undefined) return fallback
  try {
    const ms = Math.round(numberOf(text ?? '') * 1000)
    if (Number.isSafeInteger(ms) && ms > 0) return ms
  } catch {
    // The refusal below says the same for a text that is no duration.
  }
  throw new QueryError(`invalid parameter "${name}": ${JSON.stringify(text ?? '')} is no duration greater than zero`)
}

/** Sets of matchers from `match[]`, each a selector. */
export function matchParameters(given: URLSearchParams): Matcher[][] {
  return given.getAll('match[]').map((text) => {
    const selector = text.length <= MOST_QUERY ? parseQuery(text) : undefined
    if (selector?.kind === 'selector' && selector.range === undefined) return selector.matchers
    throw new QueryError(`invalid parameter "match[]": ${text.slice(0, 100)} is no selector`)
  })
}
