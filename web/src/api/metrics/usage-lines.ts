import type { Usage, UsageLine } from '@quayside/contract/metrics/endpoints'
import { formatBytes, formatCpu } from '../../lib/quantities.ts'
import type { ChartLine } from '../../ui/charts/line-chart.tsx'

const looks = {
  usage: { name: 'Usage', look: 'filled' },
  requests: { name: 'Requests', look: 'dashed' },
  limits: { name: 'Limits', look: 'dotted' },
  capacity: { name: 'Capacity', look: 'dotted' },
} as const satisfies Record<UsageLine['of'], Omit<ChartLine, 'values'>>

const fewestPoints = 20

/** CPU in cores as people read it. */
export const cores = (value: number) => formatCpu(Math.round(value * 1000))

/**
 * One resource of a place over time, as a chart draws it. Where figures begin within the time that was asked for, the
 * chart begins with them.
 * @param since a moment, in milliseconds since 1970, that the chart shows as well
 */
export function usageChart(usage: Usage, resource: 'cpu' | 'memory', since = Infinity) {
  const start = startOf(usage, since)
  const lines: ChartLine[] = usage[resource].map(({ of, values }) => ({ ...looks[of], values: values.slice(start) }))
  const first = Date.parse(usage.from)
  const length = Math.max(0, ...lines.map(({ values }) => values.length))
  const times = Array.from({ length }, (_, at) => first + (start + at) * usage.stepSeconds * 1000)
  const isCpu = resource === 'cpu'
  return { lines, times, format: isCpu ? cores : formatBytes, thousand: isCpu ? (1000 as const) : (1024 as const) }
}

/** Index of the point that the charts of both resources begin with. */
function startOf({ from, stepSeconds, cpu, memory }: Usage, since: number): number {
  const all = [...cpu, ...memory].map(({ values }) => values)
  const length = Math.max(0, ...all.map((values) => values.length))
  const known = all.map((values) => values.findIndex((value) => value !== null)).filter((at) => at >= 0)
  const shown = Math.floor((since - Date.parse(from)) / 1000 / stepSeconds)
  return Math.max(0, Math.min(Math.min(...known, shown) - 1, length - fewestPoints))
}
