import type { Outcome } from './run-check.ts'

const RESULTS = ['passed', 'failed', 'skipped'] as const

type Counts = Record<Outcome['result'], number>

const count = (outcomes: readonly Outcome[]): Counts => ({
  passed: outcomes.filter(({ result }) => result === 'passed').length,
  failed: outcomes.filter(({ result }) => result === 'failed').length,
  skipped: outcomes.filter(({ result }) => result === 'skipped').length,
})

const line = (name: string, counts: Counts, width: number) =>
  `${name.padEnd(width)} ${RESULTS.map((result) => String(counts[result] || '–').padStart(8)).join('')}`

/** One row an area, then what failed and why, what was skipped and why, and the sum. */
export function reportOf(outcomes: readonly Outcome[]): string {
  const areas = Map.groupBy(outcomes, ({ check }) => check.area)
  const width = Math.max(4, ...[...areas.keys()].map(({ length }) => length))
  const failed = outcomes.filter(({ result }) => result === 'failed')
  const skipped = Map.groupBy(
    outcomes.filter(({ result }) => result === 'skipped'),
    ({ why }) => why ?? '',
  )
  const { passed: p, failed: f, skipped: s } = count(outcomes)
  return [
    `${'area'.padEnd(width)} ${RESULTS.map((result) => result.padStart(8)).join('')}`,
    ...[...areas].map(([name, all]) => line(name, count(all), width)),
    ...failed.map(({ check, why = '' }) => `\nFAILED ${check.area}: ${check.name}\n  ${why.replaceAll('\n', '\n  ')}`),
    ...(skipped.size > 0 ? [''] : []),
    ...[...skipped].map(([why, all]) => `${all.length} skipped: ${why}`),
    '',
    `${p} passed, ${f} failed, ${s} skipped`,
  ].join('\n')
}
