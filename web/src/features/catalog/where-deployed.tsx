import type { App } from '@quayside/contract/apps/endpoints'
import { Link } from '@tanstack/react-router'
import { useDeployedFrom } from '../../api/app.ts'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'

const columns: readonly Column<App>[] = [
  {
    key: 'name',
    title: 'App',
    sortBy: ({ displayName }) => displayName,
    cell: (app) => (
      <NameCell below={app.releaseName ?? app.id}>
        <Link to="/apps/$appId" params={{ appId: app.id }}>
          {app.displayName}
        </Link>
      </NameCell>
    ),
  },
  { key: 'state', title: 'State', sortBy: ({ state }) => state, cell: ({ state }) => <StateBadge state={state} /> },
  {
    key: 'version',
    title: 'Version',
    sortBy: ({ version }) => version,
    cell: ({ version }) => <bdi className="mono">{version}</bdi>,
  },
  {
    key: 'space',
    title: 'Space',
    sortBy: ({ spaceName }) => spaceName,
    cell: ({ spaceName }) => <bdi>{spaceName}</bdi>,
  },
  {
    key: 'cluster',
    title: 'Cluster',
    sortBy: ({ clusterName }) => clusterName,
    cell: ({ clusterName }) => <bdi>{clusterName}</bdi>,
  },
]

export function WhereDeployed({ itemId }: { itemId: string }) {
  const apps = useDeployedFrom(itemId)
  return (
    <DataTable
      sorts="all rows are here"
      label="Deployed apps"
      columns={columns}
      rows={apps.data}
      rowKey={({ id }) => id}
      error={apps.error}
      onRetry={() => void apps.refetch()}
      empty={<EmptyState title="Not deployed anywhere" text="Deploy it and its apps are listed here." />}
    />
  )
}
