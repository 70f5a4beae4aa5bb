import type { Action } from '@quayside/contract/deployments/endpoints'
import { actionSorts } from '@quayside/contract/deployments/sorts'
import { type CsvColumn, csvOf } from '@quayside/contract/http/csv'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import { Link, useNavigate } from '@tanstack/react-router'
import { useAllActions, useLedger, useStarters } from '../../../api/deployments/ledger.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { DownloadButton } from '../../../ui/actions/download-button.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import type { ServerColumn } from '../../../ui/lists/data-table.tsx'
import { FilterChip } from '../../../ui/lists/filter-chip.tsx'
import { NameCell } from '../../../ui/lists/name-cell.tsx'
import { PagedTable } from '../../../ui/lists/paging/paged-table.tsx'
import { SavedFilters } from '../../../ui/lists/tools/saved-filters.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { spanWords } from '../wizard/elapsed.ts'
import { kinds } from './action-kinds.ts'
import { useActionMenu } from './use-action-menu.ts'
import { usePlaces } from './use-places.ts'

const states = [
  { value: 'running', label: 'Running' },
  { value: 'Success', label: 'Success' },
  { value: 'Failed', label: 'Failed' },
]
const kindChoices = Object.entries(kinds).map(([value, { name }]) => ({ value, label: name }))

const columns: readonly ServerColumn<Action>[] = [
  {
    key: 'kind',
    title: 'Action',
    cell: ({ id, kind, releaseName }) => (
      <NameCell below={releaseName ?? id}>
        <Link to="/cloud-automation/$actionId" params={{ actionId: id }}>
          {kinds[kind].name}
        </Link>
      </NameCell>
    ),
  },
  {
    key: 'appName',
    title: 'App',
    cell: ({ appName, version }) => (
      <bdi>
        {appName} <span className="mono">{version}</span>
      </bdi>
    ),
  },
  { key: 'state', title: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { key: 'space', title: 'Space', cell: ({ spaceName }) => <bdi>{spaceName ?? '–'}</bdi> },
  { key: 'cluster', title: 'Cluster', cell: ({ clusterName }) => <bdi>{clusterName ?? '–'}</bdi> },
  { key: 'startedBy', title: 'Started by', cell: ({ startedBy }) => <bdi>{startedBy}</bdi> },
  {
    key: 'acceptedAt',
    title: 'Started',
    cell: ({ acceptedAt }) => <RelativeTime at={acceptedAt} />,
  },
  {
    key: 'took',
    title: 'Took',
    cell: ({ acceptedAt, finishedAt }) => (
      <bdi>{finishedAt === null ? '–' : spanWords(Date.parse(finishedAt) - Date.parse(acceptedAt))}</bdi>
    ),
  },
]

const filterKeys = ['q', 'state', 'kind', 'space', 'cluster', 'app', 'by', 'sort']
const csvColumns: readonly CsvColumn<Action>[] = [
  { title: 'Id', text: ({ id }) => id },
  { title: 'Action', text: ({ kind }) => kinds[kind].name },
  { title: 'App', text: ({ appName }) => appName },
  { title: 'Version', text: ({ version }) => version },
  { title: 'State', text: ({ state }) => state },
  { title: 'Summary', text: ({ result }) => result?.summary },
  { title: 'Space', text: ({ spaceName }) => spaceName },
  { title: 'Cluster', text: ({ clusterName }) => clusterName },
  { title: 'Release', text: ({ releaseName }) => releaseName },
  { title: 'Started by', text: ({ startedBy }) => startedBy },
  { title: 'Started', text: ({ acceptedAt }) => acceptedAt },
  { title: 'Finished', text: ({ finishedAt }) => finishedAt },
]

/** The ledger of the tenant: every action that was accepted, by whom, on what, and how it ended. */
export function LedgerPage() {
  usePageTitle('Activity')
  const [{ q = '', sort, skip = '0', state, kind, space, cluster, app, by }, setUrl] = useUrlState()
  const wanted = { q, state, kind, spaceId: space, clusterId: cluster, appId: app, startedBy: by }
  const actions = useLedger(wanted, sort, Number(skip) || 0)
  const all = useAllActions(wanted, sort)
  const navigate = useNavigate()
  const menu = useActionMenu()
  const set = (change: Parameters<typeof setUrl>[0]) => setUrl({ skip: '', ...change })
  const isFiltered = [q, state, kind, space, cluster, app, by].some((one) => one !== undefined && one !== '')
  const appName = actions.data?.data.find(({ appId }) => appId === app)?.appName
  return (
    <>
      <PageHeader
        title="Activity"
        count={actions.data?.page.total}
        search={{ label: 'App, release, space, person', value: q, onChange: (text) => set({ q: text }) }}
        filters={
          <>
            <LedgerFilters appName={appName} onChange={set} />
            <SavedFilters list="actions" keys={filterKeys} />
          </>
        }
        actions={
          <DownloadButton name="activity.csv" load={async () => csvOf(csvColumns, await all())}>
            Export CSV
          </DownloadButton>
        }
        note={sort === undefined ? 'Running first, then newest' : undefined}
      />
      <PagedTable
        sortable={actionSorts}
        label="Actions"
        columns={columns}
        list={actions}
        rowKey={({ id }) => id}
        rowName={({ kind: one, appName: name }) => `${kinds[one].name} of ${name}`}
        rowMenu={menu}
        onRowClick={({ id }) => void navigate({ to: '/cloud-automation/$actionId', params: { actionId: id } })}
        rowsName="actions"
        empty={
          isFiltered ? (
            <EmptyState
              title="No action matches"
              action={
                <Button onClick={() => set({ q: '', state: '', kind: '', space: '', cluster: '', app: '', by: '' })}>
                  Clear search and filters
                </Button>
              }
            />
          ) : (
            <EmptyState
              icon={IconHistory}
              title="Nothing was done yet"
              text="Whatever is deployed, upgraded, rolled back or deleted is listed here, with its log."
            />
          )
        }
      />
    </>
  )
}

interface FilterProps {
  /** The name of the app that the list is narrowed to, once an action of it is known. */
  appName: string | undefined
  onChange: (change: Partial<Record<'state' | 'kind' | 'space' | 'cluster' | 'by' | 'app', string>>) => void
}

function LedgerFilters({ appName, onChange }: FilterProps) {
  const [{ state, kind, space, cluster, app, by }] = useUrlState()
  const places = usePlaces()
  const starters = useStarters()
  const people = [...new Set([...(starters.data ?? []), ...(by ? [by] : [])])]
  return (
    <>
      <FilterChip label="State" value={state} options={states} onChange={(value) => onChange({ state: value })} />
      <FilterChip label="Action" value={kind} options={kindChoices} onChange={(value) => onChange({ kind: value })} />
      {places.spaces !== undefined && (
        <FilterChip
          label="Space"
          value={space}
          options={places.spaces}
          onChange={(value) => onChange({ space: value })}
        />
      )}
      <FilterChip
        label="Cluster"
        value={cluster}
        options={places.clusters}
        onChange={(value) => onChange({ cluster: value })}
      />
      <FilterChip
        label="Started by"
        value={by}
        options={people.sort().map((value) => ({ value, label: value }))}
        onChange={(value) => onChange({ by: value })}
      />
      {app !== undefined && (
        <FilterChip
          label="App"
          value={app}
          options={[{ value: app, label: appName ?? app }]}
          onChange={(value) => onChange({ app: value })}
        />
      )}
    </>
  )
}
