import type { App } from '@quayside/contract/apps/endpoints'
import { appSorts } from '@quayside/contract/apps/sorts'
import { Link } from '@tanstack/react-router'
import { useAppsOfItem } from '../../api/app.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { DataTable, type ServerColumn } from '../../ui/lists/data-table.tsx'
import { EmptyPage } from '../../ui/lists/empty-page.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { UrlPager } from '../../ui/lists/url-pager.tsx'
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
  const [{ sort, skip = '0' }, setUrl] = useUrlState()
  const apps = useAppsOfItem(itemId, sort, Number(skip) || 0)
  return (
    <>
      <DataTable
        sorts="the server"
        sortable={appSorts}
        label="Deployed apps"
        columns={columns}
        rows={apps.data?.data}
        rowKey={({ id }) => id}
        error={apps.error}
        onRetry={() => void apps.refetch()}
        sort={sort}
        onSort={(next) => setUrl({ sort: next, skip: '' })}
        empty={
          <EmptyPage page={apps.data?.page} rows="apps">
            <EmptyState title="Not deployed anywhere" text="Apps that are deployed from this item appear here." />
          </EmptyPage>
        }
      />
      <UrlPager page={apps.data?.page} />
    </>
  )
}
