import type { PodUsage } from '@quayside/contract/metrics/endpoints'
import { mostPodsShown } from '@quayside/contract/metrics/rules'
import { Link } from '@tanstack/react-router'
import { cores } from '../../api/metrics/usage-lines.ts'
import { formatBytes } from '../../lib/quantities.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { UsedOf } from './used-of.tsx'

type Amounts = PodUsage['cpu']

/** The use of a pod against its limit, or else its request. */
function UseOfPod({ label, amounts, format }: { label: string; amounts: Amounts; format: (value: number) => string }) {
  const { usage, requests, limits } = amounts
  const word = limits === null ? 'requested' : 'allowed'
  return <UsedOf {...{ label, usage, format, word }} most={limits ?? requests} />
}

const pod: Column<PodUsage> = {
  ...{ key: 'pod', title: 'Pod', sortBy: (row) => row.pod },
  cell: (row) => <code className="ltr">{row.pod}</code>,
}
const app: Column<PodUsage> = {
  ...{ key: 'app', title: 'App', sortBy: (row) => row.app?.displayName },
  cell: (row) =>
    row.app === null ? (
      '–'
    ) : (
      <Link to="/apps/$appId" params={{ appId: row.app.id }} search={{ tab: 'metrics' } as never}>
        <bdi>{row.app.displayName}</bdi>
      </Link>
    ),
}
const amounts: readonly Column<PodUsage>[] = [
  {
    ...{ key: 'cpu', title: 'CPU', sortBy: ({ cpu }: PodUsage) => cpu.usage },
    cell: (row) => <UseOfPod label={`CPU of ${row.pod}`} amounts={row.cpu} format={cores} />,
  },
  {
    ...{ key: 'memory', title: 'Memory', sortBy: ({ memory }: PodUsage) => memory.usage },
    cell: (row) => <UseOfPod label={`Memory of ${row.pod}`} amounts={row.memory} format={formatBytes} />,
  },
]

/** The busiest pods as they are now. */
export function PodUsageTable({ pods, withApps = false }: { pods: readonly PodUsage[]; withApps?: boolean }) {
  const isCut = pods.length === mostPodsShown
  return (
    <Panel title="Busiest pods" flush aside={<bdi>{isCut ? `The first ${mostPodsShown}` : pods.length}</bdi>}>
      <DataTable
        sorts="all rows are here"
        label="Busiest pods"
        columns={withApps ? [pod, app, ...amounts] : [pod, ...amounts]}
        rows={pods}
        rowKey={(row) => `${row.clusterId} ${row.namespace} ${row.pod}`}
        empty={<EmptyState title="No pods" text="No figures of pods have arrived recently." />}
      />
    </Panel>
  )
}
