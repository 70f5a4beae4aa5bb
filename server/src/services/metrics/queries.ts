import { selectorOf } from '../../adapters/prometheus/selector.ts'
import { type Level, type LineOf, metricOf, type Resource } from './names.ts'

/** A place of one tenant. Its labels are in every selector: no other text of a caller gets into a query. */
export interface Place {
  level: 'app' | 'space' | 'cluster'
  labels: { tenant: string; space?: string; app?: string; cluster?: string }
}

const steps = [1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 43_200]
const mostPoints = 240
/** A round that was missed leaves no gap; two do. */
const roundsTillGap = 2.5

/** Moments of a chart, in milliseconds since 1970. */
export interface Points {
  from: number
  to: number
  stepSeconds: number
}

/**
 * The points of a chart: about 240 at most, at moments that stay the same while time goes on. The last one is the end of
 * the step that is under way, so that the newest figures are in it.
 */
export function pointsOf({ from, to }: { from: number; to: number }, everySeconds: number): Points {
  const shortest = Math.max(everySeconds, (to - from) / 1000 / mostPoints)
  const stepSeconds = steps.find((step) => step >= shortest) ?? 86_400
  const stepMs = stepSeconds * 1000
  return { from: Math.ceil(from / stepMs) * stepMs, to: Math.ceil(to / stepMs) * stepMs, stepSeconds }
}

const secondsTillGap = (everySeconds: number) => Math.ceil(everySeconds * roundsTillGap)

/** The mean of each step, of all clusters together. */
export function lineQuery(
  { level, labels }: Place,
  [resource, line]: [Resource, LineOf],
  { stepSeconds }: Pick<Points, 'stepSeconds'>,
  everySeconds: number,
): string {
  const seconds = Math.max(stepSeconds, secondsTillGap(everySeconds))
  return `sum(avg_over_time(${selectorOf(metricOf(level, resource, line), labels)}[${seconds}s]))`
}

/** The last value of each pod or node. */
export function lastQuery(
  level: Extract<Level, 'pod' | 'node'>,
  labels: Place['labels'],
  [resource, line]: [Resource, LineOf],
  everySeconds: number,
): string {
  return `last_over_time(${selectorOf(metricOf(level, resource, line), labels)}[${secondsTillGap(everySeconds)}s])`
}
