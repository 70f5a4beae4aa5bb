import type { ValueType } from './expression.ts'

interface Signature {
  args: readonly ValueType[]
  /** Arguments that may be left out at the end; `more` for any number of further ones of the last type. */
  optional?: number | 'more'
  gives: 'scalar' | 'vector'
}

const vector = (...args: ValueType[]): Signature => ({ args, gives: 'vector' })

const OF_A_VECTOR =
  'abs absent acos acosh asin asinh atan atanh ceil cos cosh deg exp floor ln log10 log2 rad sgn sin sinh sort sort_desc sqrt tan tanh timestamp'
const OF_A_RANGE =
  'absent_over_time avg_over_time changes count_over_time delta deriv first_over_time idelta increase irate last_over_time mad_over_time max_over_time min_over_time present_over_time rate resets stddev_over_time stdvar_over_time sum_over_time ts_of_first_over_time ts_of_last_over_time ts_of_max_over_time ts_of_min_over_time'
const OF_DATES = 'day_of_month day_of_week day_of_year days_in_month hour minute month year'

const each = (names: string, signature: Signature) => names.split(' ').map((name) => [name, signature] as const)

/** Functions that the engine knows, with what they take and give. */
export const SIGNATURES: ReadonlyMap<string, Signature> = new Map([
  ...each(OF_A_VECTOR, vector('vector')),
  ...each(OF_A_RANGE, vector('matrix')),
  ...each(OF_DATES, { args: ['vector'], optional: 1, gives: 'vector' }),
  ['clamp', vector('vector', 'scalar', 'scalar')],
  ['clamp_max', vector('vector', 'scalar')],
  ['clamp_min', vector('vector', 'scalar')],
  ['double_exponential_smoothing', vector('matrix', 'scalar', 'scalar')],
  ['histogram_quantile', vector('scalar', 'vector')],
  ['label_join', { args: ['vector', 'string', 'string', 'string'], optional: 'more', gives: 'vector' }],
  ['label_replace', vector('vector', 'string', 'string', 'string', 'string')],
  ['pi', { args: [], gives: 'scalar' }],
  ['predict_linear', vector('matrix', 'scalar')],
  ['quantile_over_time', vector('scalar', 'matrix')],
  ['round', { args: ['vector', 'scalar'], optional: 1, gives: 'vector' }],
  ['scalar', { args: ['vector'], gives: 'scalar' }],
  ['sort_by_label', { args: ['vector', 'string'], optional: 'more', gives: 'vector' }],
  ['sort_by_label_desc', { args: ['vector', 'string'], optional: 'more', gives: 'vector' }],
  ['time', { args: [], gives: 'scalar' }],
  ['vector', vector('scalar')],
])
