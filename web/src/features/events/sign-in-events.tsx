import type { SignInEvent } from '@quayside/contract/events/endpoints'
import { eventTypes } from '@quayside/contract/events/rules'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { Link } from '@tanstack/react-router'
import { spanOptions } from '../../api/lists/timed-query.ts'
import { eventWords } from '../../api/realms/event-words.ts'
import { useEvents } from '../../api/realms/events.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/actions/button.tsx'
import { DataTable, type ServerColumn } from '../../ui/lists/data-table.tsx'
import { FilterChip, ToggleChip } from '../../ui/lists/filter-chip.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { OpenPager } from '../../ui/lists/paging/open-pager.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './events.module.css'

const columns: readonly ServerColumn<SignInEvent>[] = [
  {
    key: 'type',
    title: 'What',
    cell: ({ type, error }) => <NameCell below={error ?? undefined}>{eventWords[type] ?? type}</NameCell>,
  },
  { key: 'client', title: 'Client', cell: ({ client }) => <bdi>{client ?? '–'}</bdi> },
  { key: 'ip', title: 'From', cell: ({ ipAddress }) => <bdi>{ipAddress ?? '–'}</bdi> },
  { key: 'at', title: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
]

const whoColumn: ServerColumn<SignInEvent> = {
  key: 'user',
  title: 'Who',
  cell: ({ user, details }) =>
    user === null ? (
      <bdi>{details.username ?? '–'}</bdi>
    ) : (
      <Link to="/users/$userId" params={{ userId: user.id }}>
        <bdi>{user.username ?? user.id}</bdi>
      </Link>
    ),
}

const typeOptions = eventTypes.map((value) => ({ value, label: eventWords[value] ?? value }))

interface Props {
  /** One person's alone; left out: those of everybody. */
  userId?: string
}

/** Sign-ins and what people did with their accounts: of everybody, or of one person. */
export function SignInEvents({ userId }: Props) {
  const [{ type, who, client, since, skip = '0' }, setUrl] = useUrlState()
  const events = useEvents({ filters: { type, user: userId ?? who, client }, since, skip: Number(skip) })
  const isNarrowed = [type, who, client, since].some((one) => one !== undefined) || skip !== '0'
  const narrow = (part: Record<string, string>) => setUrl({ ...part, skip: '' })
  const rows = events.data?.data
  const named = rows?.find(({ user }) => user?.id === who)?.user?.username ?? who
  return (
    <section aria-label="Sign-ins" className={styles.stack}>
      <div className={styles.filters}>
        <FilterChip label="What" value={type} options={typeOptions} onChange={(next) => narrow({ type: next ?? '' })} />
        <FilterChip
          label="When"
          value={since}
          options={spanOptions}
          onChange={(next) => narrow({ since: next ?? '' })}
        />
        {who !== undefined && userId === undefined && (
          <ToggleChip label={`Only ${named}`} icon={IconUser} active onToggle={() => narrow({ who: '' })} />
        )}
        {client !== undefined && (
          <ToggleChip
            label={`Only ${client}`}
            icon={IconPlugConnected}
            active
            onToggle={() => narrow({ client: '' })}
          />
        )}
      </div>
      <DataTable
        sorts="the server"
        label="Sign-ins"
        columns={
          userId === undefined ? [columns[0] as ServerColumn<SignInEvent>, whoColumn, ...columns.slice(1)] : columns
        }
        rows={rows}
        rowKey={({ id }) => id}
        rowName={({ type: what, at }) => `${eventWords[what] ?? what} ${at}`}
        rowMenu={(event) => [
          ...(event.user !== null && userId === undefined
            ? [{ label: 'Only this person', icon: IconUser, onSelect: () => narrow({ who: event.user?.id ?? '' }) }]
            : []),
          ...(event.client === null
            ? []
            : [
                {
                  ...{ label: 'Only this client', icon: IconPlugConnected },
                  onSelect: () => narrow({ client: event.client ?? '' }),
                },
              ]),
        ]}
        error={events.error}
        onRetry={() => void events.refetch()}
        empty={
          isNarrowed ? (
            <EmptyState
              title="No event matches"
              action={<Button onClick={() => narrow({ type: '', who: '', client: '', since: '' })}>Show all</Button>}
            />
          ) : (
            <EmptyState
              icon={IconHistory}
              title="No events"
              text="Sign-ins are listed here from now on, if the settings of events say so."
            />
          )
        }
      />
      <OpenPager page={events.data?.page} count={rows?.length ?? 0} hasMore={events.data?.next != null} />
    </section>
  )
}
