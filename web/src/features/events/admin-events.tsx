import type { AdminEvent } from '@quayside/contract/events/endpoints'
import { adminOperations, resourceTypes } from '@quayside/contract/events/rules'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { Link } from '@tanstack/react-router'
import { spanOptions } from '../../api/lists/timed-query.ts'
import { useAdminEvents } from '../../api/realms/events.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/actions/button.tsx'
import { DataTable, type ServerColumn } from '../../ui/lists/data-table.tsx'
import { FilterChip, ToggleChip } from '../../ui/lists/filter-chip.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { OpenPager } from '../../ui/lists/paging/open-pager.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { operationWords, resourceWords } from './event-words.ts'
import styles from './events.module.css'

const columns: readonly ServerColumn<AdminEvent>[] = [
  {
    key: 'what',
    title: 'What',
    cell: ({ operation, resourceType, error }) => (
      <NameCell below={error ?? undefined}>
        {resourceWords[resourceType] ?? resourceType}: {(operationWords[operation] ?? operation).toLowerCase()}
      </NameCell>
    ),
  },
  {
    key: 'who',
    title: 'Who',
    cell: ({ user, client }) =>
      user === null ? (
        <bdi>{client ?? '–'}</bdi>
      ) : (
        <Link to="/users/$userId" params={{ userId: user.id }}>
          <bdi>{user.username}</bdi>
        </Link>
      ),
  },
  { key: 'path', title: 'Where', long: true, cell: ({ resourcePath }) => <code dir="ltr">{resourcePath || '/'}</code> },
  { key: 'ip', title: 'From', cell: ({ ipAddress }) => <bdi>{ipAddress ?? '–'}</bdi> },
  { key: 'at', title: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
]

const operations = adminOperations.map((value) => ({ value, label: operationWords[value] ?? value }))
const resources = resourceTypes.map((value) => ({ value, label: resourceWords[value] ?? value }))

/** Changes of the realm, its people, groups, roles and clients, with who made them. */
export function AdminEvents() {
  const [{ operation, kind, who, since, skip = '0' }, setUrl] = useUrlState()
  const filters = { operation, resourceType: kind, user: who }
  const events = useAdminEvents({ filters, since, skip: Number(skip) })
  const isNarrowed = [operation, kind, who, since].some((one) => one !== undefined) || skip !== '0'
  const narrow = (part: Record<string, string>) => setUrl({ ...part, skip: '' })
  const rows = events.data?.data
  const named = rows?.find(({ user }) => user?.id === who)?.user?.username ?? who
  const chips = [
    { key: 'kind', label: 'Kind', value: kind, options: resources },
    { key: 'operation', label: 'What', value: operation, options: operations },
    { key: 'since', label: 'When', value: since, options: spanOptions },
  ]
  return (
    <section aria-label="Changes" className={styles.stack}>
      <div className={styles.filters}>
        {chips.map(({ key, ...chip }) => (
          <FilterChip key={key} {...chip} onChange={(next) => narrow({ [key]: next ?? '' })} />
        ))}
        {who !== undefined && (
          <ToggleChip label={`Only ${named}`} icon={IconUser} active onToggle={() => narrow({ who: '' })} />
        )}
      </div>
      <DataTable
        sorts="the server"
        label="Changes"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowName={({ resourceType, at }) => `${resourceWords[resourceType] ?? resourceType} ${at}`}
        rowMenu={({ user }) =>
          user === null ? [] : [{ label: 'Only this person', icon: IconUser, onSelect: () => narrow({ who: user.id }) }]
        }
        error={events.error}
        onRetry={() => void events.refetch()}
        empty={
          isNarrowed ? (
            <EmptyState
              title="No change matches"
              action={<Button onClick={() => narrow({ operation: '', kind: '', who: '', since: '' })}>Show all</Button>}
            />
          ) : (
            <EmptyState
              icon={IconHistory}
              title="No changes"
              text="Changes are listed here from now on, if the settings of events say so."
            />
          )
        }
      />
      <OpenPager page={events.data?.page} count={rows?.length ?? 0} hasMore={events.data?.next != null} />
    </section>
  )
}
