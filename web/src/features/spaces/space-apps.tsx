import type { App } from '@quayside/contract/apps/endpoints'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { TagList } from '../../ui/lists/tag.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'

const columns: readonly Column<App>[] = [
  {
    key: 'name',
    title: 'App',
    sortBy: (app) => app.displayName,
    cell: (app) => (
      <NameCell
        mark={<Avatar name={app.displayName} color={app.color} image={app.iconEmbedded} />}
        below={app.releaseName ?? app.identifier}
      >
        <Link to="/apps/$appId" params={{ appId: app.id }}>
          {app.displayName}
        </Link>
      </NameCell>
    ),
  },
  { key: 'state', title: 'State', sortBy: (app) => app.state, cell: (app) => <StateBadge state={app.state} /> },
  { key: 'cluster', title: 'Cluster', sortBy: (app) => app.clusterName, cell: (app) => <bdi>{app.clusterName}</bdi> },
  {
    key: 'version',
    title: 'Item and version',
    sortBy: (app) => app.catalogItemName,
    cell: (app) => (
      <code>
        {app.catalogItemName} {app.version}
      </code>
    ),
  },
  { key: 'tags', title: 'Tags', cell: (app) => <TagList tags={app.tags} /> },
  {
    key: 'changed',
    title: 'Changed',
    sortBy: (app) => app.updatedAt,
    cell: (app) => <RelativeTime at={app.updatedAt} />,
  },
]

interface Props {
  apps: readonly App[] | undefined
  error: unknown
  onRetry: () => void
  deploy: ReactNode
}

export function SpaceApps({ apps, error, onRetry, deploy }: Props) {
  const navigate = useNavigate()
  return (
    <DataTable
      sorts="all rows are here"
      label="Apps of this space"
      columns={columns}
      rows={apps}
      rowKey={(app) => app.id}
      error={error}
      onRetry={onRetry}
      onRowClick={(app) => void navigate({ to: '/apps/$appId', params: { appId: app.id } })}
      empty={
        <EmptyState
          title="No apps in this space"
          text="What is deployed here is listed with its state."
          action={deploy}
        />
      }
    />
  )
}
