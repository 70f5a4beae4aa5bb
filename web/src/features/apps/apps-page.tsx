import type { App } from '@quayside/contract/apps/endpoints'
import { appSorts } from '@quayside/contract/apps/sorts'
import { type CsvColumn, csvOf } from '@quayside/contract/http/csv'
import IconApps from '@tabler/icons-react/dist/esm/icons/IconApps.mjs'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Link, useNavigate } from '@tanstack/react-router'
import { useAllApps, useApps } from '../../api/apps.ts'
import { useClusterNames } from '../../api/clusters/clusters.ts'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { inApp, useGuard } from '../../api/permissions/my-scopes.ts'
import { usePinRow } from '../../api/pins.tsx'
import { useSpaceNames } from '../../api/spaces.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button, buttonClass } from '../../ui/actions/button.tsx'
import { DownloadButton } from '../../ui/actions/download-button.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import type { MenuEntry } from '../../ui/actions/row-menu.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import type { ServerColumn } from '../../ui/lists/data-table.tsx'
import { FilterChip } from '../../ui/lists/filter-chip.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { PagedTable } from '../../ui/lists/paging/paged-table.tsx'
import { TagList } from '../../ui/lists/tag.tsx'
import { SavedFilters } from '../../ui/lists/tools/saved-filters.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { stateLookOf } from '../../ui/states/state-look.ts'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './apps-page.module.css'

const states = ['healthy', 'progressing', 'degraded', 'failed', 'deploying', 'deleting', 'assigned', 'unknown'].map(
  (value) => ({
    value,
    label: stateLookOf(value).word,
  }),
)
const kinds = [
  { value: 'app', label: 'App' },
  { value: 'flow', label: 'Flow' },
]

const columns: readonly ServerColumn<App>[] = [
  {
    key: 'displayName',
    title: 'Name',
    cell: (app) => (
      <NameCell
        below={app.releaseName ?? app.id}
        mark={<Avatar name={app.displayName} color={app.color} image={app.iconEmbedded} />}
      >
        <Link to="/apps/$appId" params={{ appId: app.id }}>
          {app.displayName}
        </Link>
      </NameCell>
    ),
  },
  {
    key: 'state',
    title: 'State',
    cell: (app) => <StateBadge state={app.state} />,
  },
  { key: 'space', title: 'Space', cell: ({ spaceName }) => <bdi>{spaceName}</bdi> },
  { key: 'cluster', title: 'Cluster', cell: ({ clusterName }) => <bdi>{clusterName}</bdi> },
  {
    key: 'version',
    title: 'Item and version',
    cell: (app) => (
      <span className={styles.version}>
        <bdi className="mono">
          {app.catalogItemName} {app.version}
        </bdi>
        {app.availableVersion !== null && app.releaseName !== null && (
          <span className={styles.upgrade} title="A newer version is in the catalog">
            <IconArrowUp size={12} aria-hidden />
            <span className="unseen">Upgrade available: </span>
            <bdi>{app.availableVersion}</bdi>
          </span>
        )}
      </span>
    ),
  },
  { key: 'revision', title: 'Revision', cell: ({ revision }) => <bdi>{revision ?? '–'}</bdi> },
  { key: 'tags', title: 'Tags', cell: ({ tags }) => <TagList tags={tags} show={2} /> },
  {
    key: 'updatedAt',
    title: 'Changed',
    cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
  },
]

const filterKeys = ['q', 'space', 'cluster', 'state', 'kind', 'tag', 'sort']
const csvColumns: readonly CsvColumn<App>[] = [
  { title: 'Id', text: ({ id }) => id },
  { title: 'Name', text: ({ displayName }) => displayName },
  { title: 'State', text: ({ state }) => stateLookOf(state).word },
  { title: 'Space', text: ({ spaceName }) => spaceName },
  { title: 'Cluster', text: ({ clusterName }) => clusterName },
  { title: 'Release', text: ({ releaseName }) => releaseName },
  { title: 'Namespace', text: ({ namespace }) => namespace },
  { title: 'Item', text: ({ catalogItemName }) => catalogItemName },
  { title: 'Version', text: ({ version }) => version },
  { title: 'Revision', text: ({ revision }) => revision },
  { title: 'Tags', text: ({ tags }) => tags.join(', ') },
  { title: 'Changed', text: ({ updatedAt }) => updatedAt },
]

/** Every app of the tenant. */
export function AppsPage() {
  usePageTitle('Apps')
  const [{ q = '', sort, skip = '0', space, cluster, state, kind, tag }, setUrl] = useUrlState()
  const wanted = { q, spaceId: space, clusterId: cluster, state, kind, tag }
  const apps = useApps(wanted, sort, Number(skip) || 0)
  const all = useAllApps(wanted, sort)
  const navigate = useNavigate()
  const menu = useAppMenu()
  const isFiltered = [q, space, cluster, state, kind, tag].some((one) => one !== undefined && one !== '')
  const set = (change: Parameters<typeof setUrl>[0]) => setUrl({ skip: '', ...change })
  const deploy = <DeployApp />
  return (
    <>
      <PageHeader
        title="Apps"
        count={apps.data?.page.total}
        search={{ label: 'Name, tag, space, version', value: q, onChange: (text) => set({ q: text }) }}
        filters={
          <>
            <AppFilters shown={apps.data?.data ?? []} onChange={set} />
            <SavedFilters list="apps" keys={filterKeys} />
          </>
        }
        actions={
          <>
            <DownloadButton name="apps.csv" load={async () => csvOf(csvColumns, await all())}>
              Export CSV
            </DownloadButton>
            {deploy}
          </>
        }
        note={sort === undefined ? 'Sorted by last change' : undefined}
      />
      <PagedTable
        sortable={appSorts}
        label="Apps"
        columns={columns}
        list={apps}
        rowKey={({ id }) => id}
        rowName={({ displayName }) => displayName}
        rowMenu={menu}
        onRowClick={({ id }) => void navigate({ to: '/apps/$appId', params: { appId: id } })}
        rowsName="apps"
        empty={
          isFiltered ? (
            <EmptyState
              title="No app matches"
              action={
                <Button onClick={() => set({ q: '', space: '', cluster: '', state: '', kind: '', tag: '' })}>
                  Clear search and filters
                </Button>
              }
            />
          ) : (
            <EmptyState
              icon={IconApps}
              title="No apps yet"
              text="Deploy one from the catalog; it takes four steps."
              action={deploy}
            />
          )
        }
      />
    </>
  )
}

/** The way to the catalog, closed for those who may deploy nowhere. */
function DeployApp() {
  const right = useGuard()('app.deploy', 'deploy apps')
  if (right.allowed === true) {
    return (
      <Link to="/catalog/apps" className={buttonClass('primary')}>
        <IconPlus size={16} stroke={1.75} aria-hidden />
        Deploy app
      </Link>
    )
  }
  return (
    <GuardedButton look="primary" icon={IconPlus} {...right}>
      Deploy app
    </GuardedButton>
  )
}

interface FilterProps {
  /** Apps on the page, whose tags are offered. */
  shown: readonly App[]
  onChange: (change: Partial<Record<'state' | 'space' | 'cluster' | 'kind' | 'tag', string>>) => void
}

function AppFilters({ shown, onChange }: FilterProps) {
  const [{ space, cluster, state, kind, tag }] = useUrlState()
  const spaces = useSpaceNames()
  const clusters = useClusterNames()
  const tags = [...new Set([...shown.flatMap((app) => app.tags), ...(tag ? [tag] : [])])].sort()
  return (
    <>
      <FilterChip label="State" value={state} options={states} onChange={(value) => onChange({ state: value })} />
      {spaces.data !== undefined && (
        <FilterChip
          label="Space"
          value={space}
          options={(spaces.data ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))}
          onChange={(value) => onChange({ space: value })}
        />
      )}
      <FilterChip
        label="Cluster"
        value={cluster}
        options={(clusters.data ?? []).map(({ id, displayName }) => ({ value: id, label: displayName }))}
        onChange={(value) => onChange({ cluster: value })}
      />
      <FilterChip label="Kind" value={kind} options={kinds} onChange={(value) => onChange({ kind: value })} />
      <FilterChip
        label="Tag"
        value={tag}
        options={tags.map((value) => ({ value, label: value }))}
        onChange={(value) => onChange({ tag: value })}
      />
    </>
  )
}

function useAppMenu(): (app: App) => MenuEntry[] {
  const { open } = useWizards()
  const navigate = useNavigate()
  const guard = useGuard()
  const pin = usePinRow('apps')
  return (app) => {
    const where = inApp(app)
    const entries: MenuEntry[] = [
      {
        label: 'Open',
        icon: IconExternalLink,
        onSelect: () => void navigate({ to: '/apps/$appId', params: { appId: app.id } }),
      },
      pin({ id: app.id, name: app.displayName }),
    ]
    if (app.state === 'assigned')
      entries.push({
        right: guard('app.deploy', `deploy ${app.displayName}`, where),
        ...{ label: 'Deploy', icon: IconPlus, onSelect: () => void open({ kind: 'deploy', appId: app.id }) },
      })
    if (app.releaseName !== null) {
      entries.push(
        {
          right: guard('app.upgrade', `upgrade ${app.displayName}`, where),
          label: 'Upgrade',
          icon: IconArrowUp,
          onSelect: () => void open({ kind: 'upgrade', appId: app.id }),
        },
        {
          right: guard('app.rollback', `roll back ${app.displayName}`, where),
          disabled: (app.revision ?? 1) < 2,
          label: 'Rollback',
          icon: IconArrowBackUp,
          onSelect: () => void open({ kind: 'rollback', appId: app.id }),
        },
      )
    }
    const removal = app.releaseName === null ? 'app.delete-assigned' : 'app.delete'
    entries.push({
      right: guard(removal, `delete ${app.displayName}`, where),
      label: 'Delete',
      icon: IconTrash,
      danger: true,
      onSelect: () => void open({ kind: 'delete', appId: app.id }),
    })
    return entries
  }
}
