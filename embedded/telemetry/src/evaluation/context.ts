import type { At } from '../promql/expression.ts'
import type { Source } from './value.ts'

/** A query takes more than it may. */
export class LimitError extends Error {
  readonly kind: 'execution' | 'timeout'

  constructor(kind: 'execution' | 'timeout', message: string) {
    super(message)
    this.kind = kind
  }
}

/** How much is left of what a query may take. */
export interface Budget {
  samples: number
  /** By `performance.now()`. */
  deadline: number
}

/** Steps of an evaluation, in milliseconds. */
export interface Context {
  source: Source
  budget: Budget
  start: number
  end: number
  step: number
  steps: number
  /** Range of the whole query, for `@ start()` and `@ end()`. */
  queryStart: number
  queryEnd: number
}

export const LOOKBACK_MS = 300_000

export const timeOf = ({ start, step }: Context, index: number): number => start + index * step

/** The moment that a selector looks at, for a step. */
export function momentOf(
  context: Context,
  { offset, at }: { offset: number; at: At | undefined },
  index: number,
): number {
  if (at === undefined) return timeOf(context, index) - offset
  if (at === 'start') return context.queryStart - offset
  return (at === 'end' ? context.queryEnd : at) - offset
}

export function spend(budget: Budget, samples: number): void {
  budget.samples -= samples
  if (budget.samples < 0) throw new LimitError('execution', 'query processing would load too many samples into memory')
  if (performance.now() > budget.deadline) throw new LimitError('timeout', 'query timed out in expression evaluation')
}
