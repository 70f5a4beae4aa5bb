import type { Usage, UsageLine } from '@quayside/contract/metrics/endpoints'
import { formatBytes, formatCpu } from '../../lib/quantities.ts'
import type { ChartLine } from '../../ui/charts/line-chart.tsx'

const looks = {
  usage: { name: 'Usage', look: 'filled' },
  requests: { name: 'Requests', look: 'dashed' },
  limits: { name: 'Limits', look: 'dotted' },
  capacity: { name: 'Capacity', look: 'dotted' },
} as const satisfies Record<UsageLine['of'], Omit<ChartLine, 'values'>>

/** CPU in cores as people read it. */
export const cores = (value: number) => formatCpu(Math.round(value * 1000))

/** One resource of a place over time, as a chart draws it. */
export function usageChart(usage: Usage, resource: 'cpu' | 'memory') {
  const lines: ChartLine[] = usage[resource].map(({ of, values }) => ({ ...looks[of], values }))
  const first = Date.parse(usage.from)
  const length = Math.max(0, ...lines.map(({ values }) => values.length))
  const times = Array.from({ length }, (_, at) => first + at * usage.stepSeconds * 1000)
  const isCpu = resource === 'cpu'
  return { lines, times, format: isCpu ? cores : formatBytes, thousand: isCpu ? (1000 as const) : (1024 as const) }
}
