import type { DashboardRow } from '@quayside/contract/dashboards/endpoints'
import { dashboardSorts } from '@quayside/contract/dashboards/sorts'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUserOff from '@tabler/icons-react/dist/esm/icons/IconUserOff.mjs'
import { useState } from 'react'
import { useDashboards, useDashboardTags } from '../../api/dashboards/dashboards.ts'
import { useMay } from '../../api/permissions/my-scopes.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/actions/button.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { FilterChip, ToggleChip } from '../../ui/lists/filter-chip.tsx'
import { PagedTable } from '../../ui/lists/paging/paged-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { columns } from './columns.tsx'
import { NewDashboardDialog } from './new-dashboard-dialog.tsx'
import { useDashboardMenu } from './use-dashboard-menu.tsx'

/** The dashboards that the person sees. */
export function DashboardsPage() {
  usePageTitle('Dashboards')
  const [{ q = '', sort, skip = '0', tag, owner, starred, deleted, orphaned }, setUrl] = useUrlState()
  const found = useDashboards({ q, tag, owner, starred, deleted, orphaned }, sort, Number(skip) || 0)
  const [isNew, setNew] = useState(false)
  const set = (change: Parameters<typeof setUrl>[0]) => setUrl({ skip: '', ...change })
  const menu = useDashboardMenu({ isOrphans: orphaned === 'true' })
  const add = (
    <Button look="primary" icon={IconPlus} onClick={() => setNew(true)}>
      New dashboard
    </Button>
  )
  const isFiltered = [q || undefined, tag, owner, starred, deleted, orphaned].some((value) => value !== undefined)
  return (
    <>
      <PageHeader
        title="Dashboards"
        count={found.data?.page.total}
        search={{ label: 'Name, description, tag', value: q, onChange: (text) => set({ q: text }) }}
        filters={
          <>
            <TagFilter value={tag} onChange={(value) => set({ tag: value })} />
            <FilterChip
              label="Owner"
              value={owner}
              options={[{ value: 'me', label: 'Me' }]}
              onChange={(value) => set({ owner: value })}
            />
            <Chips starred={starred} deleted={deleted} orphaned={orphaned} set={set} />
          </>
        }
        actions={add}
      />
      <PagedTable<DashboardRow>
        sortable={dashboardSorts}
        label="Dashboards"
        columns={columns}
        list={found}
        rowKey={({ id }) => id}
        rowName={({ displayName }) => displayName}
        rowMenu={menu}
        rowsName="dashboards"
        empty={
          <Nothing
            isFiltered={isFiltered}
            isTrash={deleted === 'true'}
            isOrphans={orphaned === 'true'}
            add={add}
            onClear={() => set({ q: '', tag: '', owner: '', starred: '', deleted: '', orphaned: '' })}
          />
        }
      />
      {isNew && <NewDashboardDialog onClose={() => setNew(false)} />}
    </>
  )
}

interface ChipsProps extends Record<'starred' | 'deleted' | 'orphaned', string | undefined> {
  set: (change: Record<string, string>) => void
}

/** Filters that are on or off; the trash and the dashboards without a manager are lists of their own. */
function Chips({ starred, deleted, orphaned, set }: ChipsProps) {
  const mayTakeOver = useMay()('dashboard.take-over') === true
  // An address that somebody else has sent names the filter, and it is taken off here.
  const offersOrphans = mayTakeOver || orphaned === 'true'
  const other = (value: string | undefined) => (value === 'true' ? '' : 'true')
  return (
    <>
      <ToggleChip
        label="Starred"
        icon={IconStar}
        active={starred === 'true'}
        onToggle={() => set({ starred: other(starred) })}
      />
      <ToggleChip
        label="Trash"
        icon={IconTrash}
        active={deleted === 'true'}
        onToggle={() => set({ deleted: other(deleted), orphaned: '' })}
      />
      {offersOrphans && (
        <ToggleChip
          label="Without a manager"
          icon={IconUserOff}
          active={orphaned === 'true'}
          onToggle={() => set({ orphaned: other(orphaned), deleted: '' })}
        />
      )}
    </>
  )
}

interface NothingProps {
  isFiltered: boolean
  isTrash: boolean
  isOrphans: boolean
  add: React.ReactNode
  onClear: () => void
}

function Nothing({ isFiltered, isTrash, isOrphans, add, onClear }: NothingProps) {
  if (isOrphans)
    return (
      <EmptyState
        title="Every dashboard has a manager"
        text="A dashboard whose managers have no account any more is listed here, so that you can take it over."
        action={<Button onClick={onClear}>Clear search and filters</Button>}
      />
    )
  if (isFiltered)
    return (
      <EmptyState
        title={isTrash ? 'The trash is empty' : 'No dashboard matches'}
        text={isTrash ? 'Deleted dashboards can be restored here for 30 days.' : undefined}
        action={<Button onClick={onClear}>Clear search and filters</Button>}
      />
    )
  return (
    <EmptyState
      icon={IconLayoutDashboard}
      title="No dashboards yet"
      text="A dashboard shows apps, deployments, events and clusters side by side, to you or to a whole team."
      action={add}
    />
  )
}

function TagFilter({ value, onChange }: { value: string | undefined; onChange: (tag: string | undefined) => void }) {
  const tags = useDashboardTags().data ?? []
  const named = tags.map(({ tag, count }) => ({ value: tag, label: `${tag} (${count})` }))
  const isListed = value === undefined || tags.some(({ tag }) => tag === value)
  return (
    <FilterChip
      label="Tag"
      value={value}
      options={isListed ? named : [...named, { value, label: value }]}
      onChange={onChange}
    />
  )
}
