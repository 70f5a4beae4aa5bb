import type { ListReply } from '@quayside/contract/http/paging'
import type { PermissionEvent } from '@quayside/contract/permissions/endpoints'
import type { UseQueryResult } from '@tanstack/react-query'
import { eventsPerPage, useHistory } from '../../../api/permissions/permissions.ts'
import { namesIn } from '../../../lib/actor-name.ts'
import { DataTable, type ServerColumn } from '../../../ui/lists/data-table.tsx'
import { NameCell } from '../../../ui/lists/name-cell.tsx'
import { Pager } from '../../../ui/lists/paging/pager.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { shortDate } from '../../../ui/text/format-relative.ts'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { eventWords } from '../why/words.ts'
import styles from './member-history.module.css'
import { PrincipalMark } from './principal-mark.tsx'

const columnsFor = (
  called: ReturnType<typeof namesIn>,
  isOfTenant: boolean,
): readonly ServerColumn<PermissionEvent>[] => [
  {
    key: 'what',
    title: 'What happened',
    cell: (event) => (
      <NameCell
        mark={<PrincipalMark type={event.principal.type} name={event.principal.name} size={24} />}
        below={event.expiresAt === null ? undefined : `until ${shortDate(event.expiresAt)}`}
      >
        <span className={styles.what}>
          <bdi>
            <bdi className={styles.who}>{called(personOf(event.principal))}</bdi> {eventWords(event, isOfTenant)}
          </bdi>
        </span>
      </NameCell>
    ),
  },
  {
    key: 'note',
    title: 'Note',
    long: true,
    cell: ({ note }) => note !== null && <bdi>{note}</bdi>,
  },
  { key: 'by', title: 'By', cell: (event) => <By event={event} called={called} /> },
  { key: 'at', title: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
]

/** Groups and roles have no user name; a person without a display name is called by it. */
function personOf({ type, name, detail }: PermissionEvent['principal']) {
  return { name, username: type === 'user' ? (detail ?? name) : null }
}

const actorOf = ({ by, byName }: PermissionEvent) => ({ name: byName ?? by ?? '', username: by })

function By({ event, called }: { event: PermissionEvent; called: ReturnType<typeof namesIn> }) {
  return event.by === null ? 'By itself' : <bdi>{called(actorOf(event))}</bdi>
}

interface Props {
  spaceId: string
  search: string
  skip: number
  onSkip: (skip: number) => void
}

/** The changes of a space's members, newest first. */
export function MemberHistory({ spaceId, search, skip, onSkip }: Props) {
  const events = useHistory(spaceId, search, skip)
  return (
    <>
      <EventTable label="History of members" events={events} isSearched={search !== ''} />
      {events.data !== undefined && (
        <Pager skip={skip} limit={eventsPerPage} total={events.data.page.total} onSkip={onSkip} />
      )}
    </>
  )
}

interface TableProps {
  label: string
  events: UseQueryResult<ListReply<PermissionEvent>>
  isSearched?: boolean
  /** The lines are about roles of the tenant. */
  isOfTenant?: boolean
}

/** Lines of a history, newest first. */
export function EventTable({ label, events, isSearched = false, isOfTenant = false }: TableProps) {
  const rows = events.data?.data
  const called = namesIn((rows ?? []).flatMap((event) => [personOf(event.principal), actorOf(event)]))
  return (
    <DataTable
      sorts="the server"
      label={label}
      columns={columnsFor(called, isOfTenant)}
      rows={rows}
      rowKey={({ id }) => id}
      error={events.error}
      onRetry={() => void events.refetch()}
      empty={
        <EmptyState
          title={isSearched ? 'No line matches' : 'Nothing has happened yet'}
          text="Every change is listed here with the person who made it."
        />
      }
    />
  )
}
