import type { Marker, Usage } from '@quayside/contract/metrics/endpoints'
import { usageChart } from '../../api/metrics/usage-lines.ts'
import { LineChart } from '../../ui/charts/line-chart.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { exactTime } from '../../ui/text/format-relative.ts'
import { MarkerLink } from './marker-link.tsx'
import styles from './metrics.module.css'

interface Props {
  name: string
  usage: Usage
  markers: readonly Marker[]
  asTable: boolean
}
const titles = { cpu: 'CPU', memory: 'Memory' } as const

/** CPU beside memory, each as a drawing or as a table. */
export function UsageCharts({ name, usage, markers, asTable }: Props) {
  return (
    <div className={styles.charts}>
      {(['cpu', 'memory'] as const).map((resource) => (
        <Panel key={resource} title={titles[resource]} flush={asTable}>
          {asTable ? (
            <Figures usage={usage} resource={resource} />
          ) : (
            <Chart label={`${titles[resource]} of ${name}`} {...{ usage, resource, markers }} />
          )}
        </Panel>
      ))}
    </div>
  )
}

interface ChartProps {
  label: string
  usage: Usage
  resource: 'cpu' | 'memory'
  markers: readonly Marker[]
}

function Chart({ label, usage, resource, markers }: ChartProps) {
  const chart = usageChart(usage, resource, Math.min(...markers.map(({ at }) => Date.parse(at))))
  if (chart.lines.length === 0) return <EmptyState title="No data in this time range" />
  const marks = markers.map((marker) => ({
    ...{ key: marker.actionId, at: Date.parse(marker.at) },
    content: <MarkerLink marker={marker} />,
  }))
  return (
    <div className={styles.chart}>
      <LineChart label={label} {...chart} marks={marks} />
    </div>
  )
}

interface Row {
  time: string
  values: (number | null)[]
}

function Figures({ usage, resource }: Pick<ChartProps, 'usage' | 'resource'>) {
  const { lines, times, format } = usageChart(usage, resource)
  const rows = times
    .map(
      (time, at): Row => ({
        time: new Date(time).toISOString(),
        values: lines.map(({ values }) => values[at] ?? null),
      }),
    )
    .filter(({ values }) => values.some((value) => value !== null))
    .reverse()
  const columns: Column<Row>[] = [
    { key: 'time', title: 'Time', sortBy: ({ time }) => time, cell: ({ time }) => <bdi>{exactTime(time)}</bdi> },
    ...lines.map(
      ({ name }, at): Column<Row> => ({
        ...{ key: name, title: name, align: 'end' },
        sortBy: ({ values }) => values[at],
        cell: ({ values }) => <bdi>{values[at] == null ? '–' : format(values[at])}</bdi>,
      }),
    ),
  ]
  return (
    <DataTable
      sorts="all rows are here"
      label={`${titles[resource]} over time`}
      columns={columns}
      rows={rows}
      rowKey={({ time }) => time}
      empty={<EmptyState title="No data in this time range" />}
    />
  )
}
