import type { App } from '@quayside/contract/apps/endpoints'
import { appSorts } from '@quayside/contract/apps/sorts'
import { Link } from '@tanstack/react-router'
import { useAppsOfItem } from '../../api/app.ts'
import { useUrlState } from '../../lib/url-state.ts'
import type { ServerColumn } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { PagedTable } from '../../ui/lists/paging/paged-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'

const columns: readonly ServerColumn<App>[] = [
  {
    key: 'displayName',
    title: 'App',
    cell: (app) => (
      <NameCell below={app.releaseName ?? app.id}>
        <Link to="/apps/$appId" params={{ appId: app.id }}>
          {app.displayName}
        </Link>
      </NameCell>
    ),
  },
  { key: 'state', title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    key: 'version',
    title: 'Version',
    cell: ({ version }) => <bdi className="mono">{version}</bdi>,
  },
  {
    key: 'space',
    title: 'Space',
    cell: ({ spaceName }) => <bdi>{spaceName}</bdi>,
  },
  {
    key: 'cluster',
    title: 'Cluster',
    cell: ({ clusterName }) => <bdi>{clusterName}</bdi>,
  },
]

/** The apps that were made from a catalog item, page by page. */
export function WhereDeployed({ itemId }: { itemId: string }) {
  const [{ sort, skip = '0' }] = useUrlState()
  const apps = useAppsOfItem(itemId, sort, Number(skip) || 0)
  return (
    <PagedTable
      sortable={appSorts}
      label="Deployed apps"
      columns={columns}
      list={apps}
      rowKey={({ id }) => id}
      rowsName="apps"
      empty={<EmptyState title="Not deployed anywhere" text="Apps that are deployed from this item appear here." />}
    />
  )
}
