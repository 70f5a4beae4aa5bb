import type { ClusterNode } from '@quayside/contract/clusters/endpoints'
import { useNodes } from '../../../api/clusters/cluster.ts'
import { formatBytes, formatCpu } from '../../../lib/quantities.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { NameCell } from '../../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import styles from './node-pools.module.css'
import { NodePools } from './node-pools.tsx'

/** Conditions that speak against a node: anything but Ready that holds. */
function pressures(node: ClusterNode): string[] {
  return node.conditions.filter(({ type, status }) => type !== 'Ready' && status === 'True').map(({ type }) => type)
}

const columns: readonly Column<ClusterNode>[] = [
  {
    key: 'name',
    title: 'Node',
    sortBy: ({ name }) => name,
    cell: ({ name, internalIp }) => <NameCell below={internalIp ?? undefined}>{name}</NameCell>,
  },
  {
    key: 'state',
    title: 'State',
    sortBy: ({ ready }) => Number(ready),
    cell: ({ ready }) => <StateBadge state={ready ? 'ready' : 'failed'} label={ready ? 'Ready' : 'Not ready'} />,
  },
  {
    key: 'pressure',
    title: 'Pressure',
    cell: (node) =>
      pressures(node).length === 0 ? 'None' : <StateBadge state="warning" label={pressures(node).join(', ')} />,
  },
  { key: 'roles', title: 'Roles', cell: ({ roles }) => <bdi>{roles.join(', ') || '–'}</bdi> },
  { key: 'version', title: 'Version', sortBy: ({ version }) => version, cell: ({ version }) => <code>{version}</code> },
  {
    key: 'cpu',
    title: 'CPU',
    align: 'end',
    sortBy: ({ capacity }) => capacity.cpuMillis,
    cell: ({ capacity }) => <bdi>{formatCpu(capacity.cpuMillis)}</bdi>,
  },
  {
    key: 'memory',
    title: 'Memory',
    align: 'end',
    sortBy: ({ capacity }) => capacity.memoryBytes,
    cell: ({ capacity }) => <bdi>{formatBytes(capacity.memoryBytes)}</bdi>,
  },
  {
    key: 'age',
    title: 'Created',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]

/** Nodes of a cluster, with the pools that they come from. */
export function ClusterNodes({ id }: { id: string }) {
  return (
    <div className={styles.stack}>
      <NodePools id={id} />
      <Panel title="Nodes" flush>
        <NodeTable id={id} />
      </Panel>
    </div>
  )
}

function NodeTable({ id }: { id: string }) {
  const nodes = useNodes(id)
  return (
    <DataTable
      sorts="all rows are here"
      label="Nodes"
      columns={columns}
      rows={nodes.data}
      rowKey={({ name }) => name}
      error={nodes.error}
      onRetry={() => void nodes.refetch()}
      empty={<EmptyState title="No nodes" text="This cluster reports no nodes, so nothing can run on it." />}
    />
  )
}
