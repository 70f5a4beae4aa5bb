import type { PermissionEvent } from '@quayside/contract/permissions'
import { eventsPerPage, useHistory } from '../../api/permissions.ts'
import { actorName } from '../../lib/actor-name.ts'
import { DataTable, type ServerColumn } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { shortDate } from '../../ui/format-relative.ts'
import { NameCell } from '../../ui/name-cell.tsx'
import { Pager } from '../../ui/pager.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import styles from './member-history.module.css'
import { PrincipalMark } from './principal-mark.tsx'
import { eventWords } from './words.ts'

const columns: readonly ServerColumn<PermissionEvent>[] = [
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
            <bdi className={styles.who}>{actorName(event.principal.name)}</bdi> {eventWords(event)}
          </bdi>
        </span>
      </NameCell>
    ),
  },
  {
    key: 'note',
    title: 'Note',
    long: true,
    cell: ({ note }) => (note === null ? '–' : <bdi>{note}</bdi>),
  },
  { key: 'by', title: 'By', cell: ({ by }) => (by === null ? 'By itself' : <bdi>{actorName(by)}</bdi>) },
  { key: 'at', title: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
]

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
      <DataTable
        sorts="the server"
        label="History of members"
        columns={columns}
        rows={events.data?.data}
        rowKey={({ id }) => id}
        error={events.error}
        onRetry={() => void events.refetch()}
        empty={
          <EmptyState
            title={search === '' ? 'Nothing has happened yet' : 'No line matches'}
            text="Every change of the list is kept here with who made it."
          />
        }
      />
      {events.data !== undefined && (
        <Pager skip={skip} limit={eventsPerPage} total={events.data.page.total} onSkip={onSkip} />
      )}
    </>
  )
}
