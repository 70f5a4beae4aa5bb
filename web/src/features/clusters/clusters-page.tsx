import type { Cluster } from '@quayside/contract/clusters/endpoints'
import { clusterSorts } from '@quayside/contract/clusters/sorts'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconPlugConnectedX from '@tabler/icons-react/dist/esm/icons/IconPlugConnectedX.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconServer2 from '@tabler/icons-react/dist/esm/icons/IconServer2.mjs'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useClusters, usualClusterSort } from '../../api/clusters/cluster.ts'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { usePinRow } from '../../api/pins.tsx'
import { usePageTitle } from '../../lib/page-title.ts'
import { formatBytes, formatCpu } from '../../lib/quantities.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/actions/button.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import type { MenuEntry } from '../../ui/actions/row-menu.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import type { ServerColumn } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { PagedTable } from '../../ui/lists/paging/paged-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { Meter } from '../../ui/states/meter.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { AddClusterDialog } from './add-cluster-dialog.tsx'
import { Provider } from './provider.tsx'
import { useRemoveCluster } from './use-remove-cluster.tsx'

const columns: readonly ServerColumn<Cluster>[] = [
  {
    key: 'displayName',
    title: 'Name',
    cell: (cluster) => (
      <NameCell below={cluster.name}>
        <Link to="/clusters/$clusterId" params={{ clusterId: cluster.id }}>
          {cluster.displayName}
        </Link>
      </NameCell>
    ),
  },
  {
    key: 'health',
    title: 'Health',
    cell: ({ health }) => <StateBadge state={health} />,
  },
  {
    key: 'provider',
    title: 'Provider',
    cell: (cluster) => <Provider cluster={cluster} />,
  },
  {
    key: 'version',
    title: 'Version',
    cell: ({ version }) => <code>{version ?? '–'}</code>,
  },
  {
    key: 'nodes',
    title: 'Nodes ready',
    cell: ({ nodes }) => (
      <span className="ltr">
        {nodes.ready} of {nodes.total}
      </span>
    ),
  },
  {
    key: 'cpu',
    title: 'CPU requested',
    cell: ({ requested, capacity }) => (
      <Meter
        label="CPU requested"
        used={requested.cpuMillis}
        of={capacity.cpuMillis}
        text={`${formatCpu(requested.cpuMillis)} of ${formatCpu(capacity.cpuMillis)}`}
      />
    ),
  },
  {
    key: 'memory',
    title: 'Memory requested',
    cell: ({ requested, capacity }) => (
      <Meter
        label="Memory requested"
        used={requested.memoryBytes}
        of={capacity.memoryBytes}
        text={`${formatBytes(requested.memoryBytes)} of ${formatBytes(capacity.memoryBytes)}`}
      />
    ),
  },
  {
    key: 'apps',
    title: 'Apps',
    align: 'end',
    cell: ({ appCount }) => <bdi>{appCount}</bdi>,
  },
]

export function ClustersPage() {
  usePageTitle('Clusters')
  const [{ q = '', sort = usualClusterSort, skip = '0' }, setUrl] = useUrlState()
  const [adding, setAdding] = useState(false)
  const right = useGuard()('cluster.add', 'add a cluster')
  const navigate = useNavigate()
  const clusters = useClusters(q, sort, Number(skip) || 0)
  const total = clusters.data?.page.total
  const open = ({ id }: Cluster) => void navigate({ to: '/clusters/$clusterId', params: { clusterId: id } })
  const menu = useClusterMenu(open)
  const add = (
    <GuardedButton look="primary" icon={IconPlus} {...right} onClick={() => setAdding(true)}>
      Add cluster
    </GuardedButton>
  )
  return (
    <>
      <PageHeader
        title="Clusters"
        count={total}
        actions={add}
        search={{ label: 'Name, provider', value: q, onChange: (text) => setUrl({ q: text, skip: '' }) }}
      />
      <PagedTable
        sortable={clusterSorts}
        usualSort={usualClusterSort}
        label="Clusters"
        columns={columns}
        list={clusters}
        rowKey={({ id }) => id}
        rowName={({ displayName }) => displayName}
        onRowClick={open}
        rowMenu={menu}
        rowsName="clusters"
        empty={
          q === '' ? (
            <EmptyState
              icon={IconServer2}
              title="No clusters yet"
              text="Apps run on a cluster. Add one with its kubeconfig. The connection is tested before the cluster is saved."
              action={add}
            />
          ) : (
            <EmptyState
              title="No cluster matches"
              action={<Button onClick={() => setUrl({ q: '' })}>Clear search</Button>}
            />
          )
        }
      />
      {adding && (
        <AddClusterDialog
          onClose={() => setAdding(false)}
          onAdded={(cluster) => {
            setAdding(false)
            open(cluster)
          }}
        />
      )}
    </>
  )
}

function useClusterMenu(open: (cluster: Cluster) => void): (cluster: Cluster) => MenuEntry[] {
  const guard = useGuard()
  const remove = useRemoveCluster()
  const pin = usePinRow('clusters')
  return (cluster) => [
    { label: 'Open', icon: IconExternalLink, onSelect: () => open(cluster) },
    pin({ id: cluster.id, name: cluster.displayName }),
    {
      label: 'Deregister',
      icon: IconPlugConnectedX,
      danger: true,
      onSelect: () => void remove(cluster),
      right: guard('cluster.remove', `deregister ${cluster.displayName}`),
    },
  ]
}
