import type { App } from '@quayside/contract/apps/endpoints'
import { appSorts } from '@quayside/contract/apps/sorts'
import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAppsOfSpace } from '../../api/app.ts'
import { useUrlState } from '../../lib/url-state.ts'
import type { ServerColumn } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { PagedTable } from '../../ui/lists/paging/paged-table.tsx'
import { TagList } from '../../ui/lists/tag.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'

const columns: readonly ServerColumn<App>[] = [
  {
    key: 'displayName',
    title: 'App',
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
  { key: 'state', title: 'State', cell: (app) => <StateBadge state={app.state} /> },
  { key: 'cluster', title: 'Cluster', cell: (app) => <bdi>{app.clusterName}</bdi> },
  {
    key: 'version',
    title: 'Item and version',
    cell: (app) => (
      <code>
        {app.catalogItemName} {app.version}
      </code>
    ),
  },
  { key: 'tags', title: 'Tags', cell: (app) => <TagList tags={app.tags} /> },
  {
    key: 'updatedAt',
    title: 'Changed',
    cell: (app) => <RelativeTime at={app.updatedAt} />,
  },
]

interface Props {
  spaceId: string
  deploy: ReactNode
}

/** The apps of a space, page by page. */
export function SpaceApps({ spaceId, deploy }: Props) {
  const navigate = useNavigate()
  const [{ sort, skip = '0' }] = useUrlState()
  const apps = useAppsOfSpace(spaceId, sort, Number(skip) || 0)
  return (
    <PagedTable
      sortable={appSorts}
      label="Apps of this space"
      columns={columns}
      list={apps}
      rowKey={(app) => app.id}
      onRowClick={(app) => void navigate({ to: '/apps/$appId', params: { appId: app.id } })}
      rowsName="apps"
      empty={
        <EmptyState
          title="No apps in this space"
          text="Apps that are deployed here are listed with their state."
          action={deploy}
        />
      }
    />
  )
}
