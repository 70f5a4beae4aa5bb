import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { labelsOf, NAME } from '../promql/labels.ts'
import { openStore, type Store } from '../storage/store.ts'
import { queryInstant, queryRange } from './query.ts'
import { markStale } from './value.ts'

let store: Store
const budget = () => ({ samples: 1_000_000, deadline: performance.now() + 60_000 })

/** Samples a minute apart, from zero on. */
function load(name: string, labels: Record<string, string>, values: readonly (number | 'stale')[]) {
  const kept = new Float64Array(values.length)
  values.forEach((value, index) => {
    if (value === 'stale') markStale(kept, index)
    else kept[index] = value
  })
  const times = Float64Array.from(values, (_, index) => index * 60_000)
  store.write([{ labels: labelsOf([[NAME, name], ...Object.entries(labels)]), times, values: kept }])
}

beforeAll(() => {
  store = openStore(':memory:', { keepMs: Infinity, mostBytes: Infinity, mostSeries: Infinity })
  load('cpu_total', { pod: 'a', app: 'shop' }, [0, 60, 120, 180, 240, 300])
  // Begins again after 120.
  load('cpu_total', { pod: 'b', app: 'shop' }, [0, 60, 120, 0, 60, 120])
  load('cpu_total', { pod: 'c', app: 'mail' }, [0, 6, 12, 18, 24, 30])
  load('memory', { pod: 'a', app: 'shop' }, [10, 20, 30, 40, 50, 60])
  load('memory', { pod: 'c', app: 'mail' }, [5, 5, 5, 'stale'])
  load('limit', { app: 'shop' }, [100, 100, 100, 100, 100, 100])
  load('took_bucket', { le: '1' }, [0, 10, 20])
  load('took_bucket', { le: '2' }, [0, 20, 40])
  load('took_bucket', { le: '+Inf' }, [0, 20, 40])
})
afterAll(() => store.close())

/** Values at a minute to twelve digits, by their labels. */
function at(minute: number, text: string): unknown {
  const answer = queryInstant(store, budget(), text, minute * 60_000)
  if (answer.resultType !== 'vector') return answer.result
  return Object.fromEntries(
    answer.result.map(({ metric, value }) => [
      [...metric].map((pair) => pair.join('=')).join(','),
      Number(value[1].toPrecision(12)),
    ]),
  )
}

describe('figures computed by hand', () => {
  test.each<[string, number, string, unknown]>([
    ['a selector', 5, 'memory', { '__name__=memory,app=shop,pod=a': 60 }],
    ['a series that has ended', 2, 'memory{pod="c"}', { '__name__=memory,app=mail,pod=c': 5 }],
    ['an offset', 5, 'memory{pod="a"} offset 2m', { '__name__=memory,app=shop,pod=a': 40 }],
    ['a moment', 5, 'memory{pod="a"} @ 60', { '__name__=memory,app=shop,pod=a': 20 }],
    ['a value of five minutes ago is too old', 10, 'memory', {}],
    // Four samples in the window, 180 in three minutes, and 60 before the first one until the window begins.
    ['increase', 5, 'increase(cpu_total{pod="a"}[4m])', { 'app=shop,pod=a': 240 }],
    // 120 in two minutes, 57 s before the first sample and 63 s, which is near enough, behind the last one.
    ['increase near the last sample', 6.05, 'increase(cpu_total{pod="a"}[4m])', { 'app=shop,pod=a': 240 }],
    // 69 s behind the last sample are too many: half of the time between two counts.
    ['increase far from the last sample', 6.15, 'increase(cpu_total{pod="a"}[4m])', { 'app=shop,pod=a': 201 }],
    ['halves, towards the greater number', 5, 'round(vector(-2.5)) + 10 * round(vector(2.5))', { '': 28 }],
    ['a multiple', 5, 'round(vector(-7), 5)', { '': -5 }],
    // 180 to 240 to 300 without a reset; the other one went 120, 0, 60, 120: 120 in three minutes.
    [
      'rate over a reset',
      5,
      'rate(cpu_total{pod=~"a|b"}[4m])',
      { 'app=shop,pod=a': 1, 'app=shop,pod=b': 0.666666666667 },
    ],
    ['irate', 5, 'irate(cpu_total{pod="c"}[4m])', { 'app=mail,pod=c': 0.1 }],
    ['delta', 5, 'delta(memory{pod="a"}[4m])', { 'app=shop,pod=a': 40 }],
    ['deriv', 5, 'deriv(memory{pod="a"}[4m])', { 'app=shop,pod=a': 0.166666666667 }],
    ['predict_linear', 5, 'predict_linear(memory{pod="a"}[4m], 120)', { 'app=shop,pod=a': 80 }],
    ['sum by', 5, 'sum by (app) (cpu_total)', { 'app=mail': 30, 'app=shop': 420 }],
    ['without', 5, 'max without (pod) (cpu_total)', { 'app=mail': 30, 'app=shop': 300 }],
    ['topk', 5, 'topk(1, cpu_total)', { '__name__=cpu_total,app=shop,pod=a': 300 }],
    ['quantile', 5, 'quantile(0.5, cpu_total)', { '': 120 }],
    ['one to one', 5, 'cpu_total / on (pod) memory', { 'pod=a': 5 }],
    ['many to one', 5, 'memory / on (app) group_left limit', { 'app=shop,pod=a': 0.6 }],
    [
      'a filter',
      5,
      'cpu_total > 100',
      { '__name__=cpu_total,app=shop,pod=a': 300, '__name__=cpu_total,app=shop,pod=b': 120 },
    ],
    ['bool', 5, 'limit == bool 100', { 'app=shop': 1 }],
    ['unless', 5, 'sum by (pod) (cpu_total) unless on (pod) memory', { 'pod=b': 120, 'pod=c': 30 }],
    // 40 in all, the middle one is the 20th: the last of the first bucket.
    ['histogram_quantile', 2, 'histogram_quantile(0.5, took_bucket)', { '': 1 }],
    ['histogram_quantile within a bucket', 2, 'histogram_quantile(0.75, took_bucket)', { '': 1.5 }],
    ['avg_over_time', 5, 'avg_over_time(memory{pod="a"}[3m])', { 'app=shop,pod=a': 50 }],
    ['a subquery', 5, 'max_over_time(sum(cpu_total)[3m:1m])', { '': 450 }],
    [
      'label_replace',
      5,
      'label_replace(limit, "team", "$1-x", "app", "(.*)")',
      { '__name__=limit,app=shop,team=shop-x': 100 },
    ],
    ['absent', 5, 'absent(nothing{app="shop"})', { 'app=shop': 1 }],
    ['a scalar', 5, '1 + 2 ^ 3 ^ 0', [300, 3]],
    ['time', 5, 'hour(vector(3 * 3600))', { '': 3 }],
  ])('%s', (_, minute, text, expected) => {
    expect(at(minute, text)).toEqual(expected)
  })
})

test('a range has a value for each step at which there is one', () => {
  const answer = queryRange(store, budget(), 'memory{pod="c"}', { start: 0, end: 300_000, step: 60_000 })
  expect(answer.result).toEqual([
    {
      metric: expect.any(Map),
      values: [
        [0, 5],
        [60, 5],
        [120, 5],
      ],
    },
  ])
})

describe('refusals', () => {
  test.each([
    ['sum(', /parse error/],
    ['rate(memory)', /expected type range vector in call to function "rate", got instant vector/],
    ['{app=~".*"}', /at least one non-empty matcher/],
    ['info(memory)', /the function info is not supported/],
    ['memory{pod=~"(a"}', /error parsing regexp/],
    ['memory * on (app) cpu_total', /many-to-many matching not allowed/],
    ['{__name__=~"cpu_total|memory"} + 1', /same labelset/],
  ])('%s', (text, reason) => {
    expect(() => at(5, text)).toThrow(reason)
  })

  test('a query that looks at more samples than it may is ended', () => {
    const few = { samples: 10, deadline: performance.now() + 60_000 }
    expect(() => queryInstant(store, few, 'sum_over_time(cpu_total[5m])', 300_000)).toThrow(/too many samples/)
  })

  test('a query that takes longer than it may is ended', () => {
    const late = { samples: 1_000_000, deadline: performance.now() - 1 }
    expect(() => queryInstant(store, late, 'memory', 300_000)).toThrow(/timed out/)
  })

  test('a regular expression that other engines never finish is answered', () => {
    load('hostile', { text: `${'a'.repeat(40)}!` }, [1])
    expect(at(0, 'hostile{text=~"(a+)+$"}')).toEqual({})
  })
})
