import type { ClusterEvent } from '@quayside/contract/clusters/endpoints'
import { useEvents } from '../../api/clusters/cluster.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { SearchField } from '../../ui/forms/search-field.tsx'
import type { ServerColumn } from '../../ui/lists/data-table.tsx'
import { FilterChip } from '../../ui/lists/filter-chip.tsx'
import { PagedTable } from '../../ui/lists/paging/paged-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './cluster-events.module.css'

const columns: readonly ServerColumn<ClusterEvent>[] = [
  {
    key: 'object',
    title: 'Object',
    cell: ({ object }) => (
      <code>
        {object.kind.toLowerCase()}/{object.name}
      </code>
    ),
  },
  {
    key: 'reason',
    title: 'Reason',
    cell: ({ type, reason }) => <StateBadge state={type === 'Warning' ? 'warning' : 'ok'} label={reason} />,
  },
  { key: 'message', title: 'Message', cell: ({ message }) => <bdi className={styles.message}>{message}</bdi> },
  { key: 'namespace', title: 'Namespace', cell: ({ object }) => <code>{object.namespace ?? '–'}</code> },
  { key: 'count', title: 'Times', align: 'end', cell: ({ count }) => <bdi>{count}</bdi> },
  { key: 'at', title: 'Last seen', cell: ({ at }) => <RelativeTime at={at} /> },
]

const types = [
  { value: 'Normal', label: 'Normal' },
  { value: 'Warning', label: 'Warning' },
]

export function ClusterEvents({ id }: { id: string }) {
  const [{ q = '', type, skip = '0' }, setUrl] = useUrlState()
  const events = useEvents(id, q, type, Number(skip))
  const filtered = q !== '' || type !== undefined
  return (
    <>
      <div className={styles.filters}>
        <SearchField label="Object, reason, message" value={q} onChange={(text) => setUrl({ q: text, skip: '' })} />
        <FilterChip label="Type" value={type} options={types} onChange={(next) => setUrl({ type: next, skip: '' })} />
      </div>
      <PagedTable
        label="Events"
        columns={columns}
        list={events}
        rowKey={(event) => event.id}
        rowsName="events"
        empty={
          <EmptyState
            title={filtered ? 'No event matches' : 'No events'}
            text={filtered ? 'Try other words or another type.' : 'Clusters keep events only for a short time.'}
          />
        }
      />
    </>
  )
}
