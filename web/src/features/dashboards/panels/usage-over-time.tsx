import type { PanelData } from '@quayside/contract/dashboards/query'
import { usageChart } from '../../../api/metrics/usage-lines.ts'
import { LineChart } from '../../../ui/charts/line-chart.tsx'
import { shortDate } from '../../../ui/text/format-relative.ts'
import { FigureTable } from './figure-table.tsx'
import { Note } from './note.tsx'

interface Props {
  data: Extract<PanelData, { kind: 'Usage' }>
  asTable: boolean
}

/** CPU or memory of a space over time. */
export function UsageOverTime({ data: { usage, resource }, asTable }: Props) {
  const { lines, times, format, thousand } = usageChart(usage, resource)
  const troubled = usage.collections.find(({ state }) => state !== 'current')
  if (lines.length === 0) return <Note text={troubled?.message ?? 'No data in this time range.'} />
  const label = resource === 'cpu' ? 'CPU over time' : 'Memory over time'
  if (!asTable) return <LineChart label={label} lines={lines} times={times} format={format} thousand={thousand} />
  const rows = times.map((time, at) => [
    shortDate(new Date(time).toISOString()),
    ...lines.map(({ values }) => (values[at] == null ? '–' : format(values[at]))),
  ])
  return <FigureTable label={label} titles={['Time', ...lines.map(({ name }) => name)]} rows={rows.reverse()} />
}
