/** Label names with values, sorted by name; the name of the metric is `__name__`. */
export type Labels = ReadonlyMap<string, string>

export interface Matcher {
  label: string
  op: '=' | '!=' | '=~' | '!~'
  value: string
}

/** Moment that `@` names: milliseconds since 1970, or an end of the query's range. */
export type At = number | 'start' | 'end'

interface Shifted {
  /** Milliseconds. */
  offset: number
  at: At | undefined
}

export interface Selector extends Shifted {
  kind: 'selector'
  matchers: Matcher[]
  /** Milliseconds; undefined for an instant vector. */
  range: number | undefined
}

export interface Subquery extends Shifted {
  kind: 'subquery'
  inner: Expression
  range: number
  /** Milliseconds; undefined for the default. */
  step: number | undefined
}

export interface Call {
  kind: 'call'
  name: string
  args: Expression[]
}

export interface Aggregation {
  kind: 'aggregation'
  op: string
  inner: Expression
  parameter: Expression | undefined
  labels: string[]
  without: boolean
}

export interface Matching {
  /** Labels after `on`, or those after `ignoring`. */
  on: boolean
  labels: string[]
  /** Side with many series for one of the other. */
  many: 'left' | 'right' | undefined
  include: string[]
}

export interface Binary {
  kind: 'binary'
  op: string
  bool: boolean
  left: Expression
  right: Expression
  matching: Matching
}

export type Expression =
  | { kind: 'number'; value: number }
  | { kind: 'string'; value: string }
  | { kind: 'negation'; inner: Expression }
  | Selector
  | Subquery
  | Call
  | Aggregation
  | Binary

export type ValueType = 'scalar' | 'vector' | 'matrix' | 'string'

/** A query that cannot be parsed or has an operand of a wrong type. */
export class QueryError extends Error {}
