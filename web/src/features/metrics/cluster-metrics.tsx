import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { NodeUsage } from '@quayside/contract/metrics/endpoints'
import { useClusterUsage } from '../../api/metrics/usage.ts'
import { cores } from '../../api/metrics/usage-lines.ts'
import { formatBytes } from '../../lib/quantities.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { UsageView, useShownTime } from './usage-view.tsx'
import { UsedOf } from './used-of.tsx'

/** CPU and memory of a cluster against its capacity, and its nodes. */
export function ClusterMetrics({ cluster }: { cluster: Cluster }) {
  const usage = useClusterUsage({ id: cluster.id, ...useShownTime() })
  return (
    <UsageView name={cluster.displayName} usage={usage}>
      {({ nodes, collections }) => collections.some(({ state }) => state !== 'off') && <Nodes nodes={nodes} />}
    </UsageView>
  )
}

const columns: readonly Column<NodeUsage>[] = [
  {
    ...{ key: 'node', title: 'Node', sortBy: (row: NodeUsage) => row.node },
    cell: (row) => <code className="ltr">{row.node}</code>,
  },
  {
    ...{ key: 'cpu', title: 'CPU', sortBy: ({ cpu }: NodeUsage) => cpu.usage },
    cell: (row) => <UsedOf label={`CPU of ${row.node}`} usage={row.cpu.usage} most={row.cpu.capacity} format={cores} />,
  },
  {
    ...{ key: 'memory', title: 'Memory', sortBy: ({ memory }: NodeUsage) => memory.usage },
    cell: ({ node, memory }) => (
      <UsedOf label={`Memory of ${node}`} usage={memory.usage} most={memory.capacity} format={formatBytes} />
    ),
  },
]

function Nodes({ nodes }: { nodes: readonly NodeUsage[] }) {
  return (
    <Panel title="Busiest nodes" flush>
      <DataTable
        sorts="all rows are here"
        label="Busiest nodes"
        columns={columns}
        rows={nodes}
        rowKey={({ node }) => node}
        empty={<EmptyState title="No nodes" text="No figures of nodes have arrived recently." />}
      />
    </Panel>
  )
}
