import type { Activity } from '@quayside/contract/account/endpoints'
import { useState } from 'react'
import { useActivities } from '../../api/account.ts'
import { eventWords } from '../../api/realms/event-words.ts'
import { Button } from '../../ui/actions/button.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './sessions.module.css'

/** Rows that are shown before somebody asks for all. */
const fewRows = 10

const columns: readonly Column<Activity>[] = [
  {
    key: 'type',
    title: 'What',
    cell: ({ type, error }) => <NameCell below={error ?? undefined}>{eventWords[type] ?? type}</NameCell>,
  },
  { key: 'ipAddress', title: 'From', cell: ({ ipAddress }) => <bdi>{ipAddress ?? '–'}</bdi> },
  { key: 'client', title: 'Client', cell: ({ client }) => <bdi>{client ?? '–'}</bdi> },
  { key: 'at', title: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
]

/** Sign-ins and changes of the account: what is strange here is a reason to change the password. */
export function Activities() {
  const activities = useActivities()
  const [isLong, setLong] = useState(false)
  const rows = activities.data?.data
  const isKept = activities.data?.kept !== false
  return (
    <section aria-label="Activities" className={styles.sessions}>
      <h2>Activities</h2>
      <DataTable
        sorts="all rows are here"
        label="Activities"
        columns={columns}
        rows={isLong ? rows : rows?.slice(0, fewRows)}
        rowKey={(one) => `${one.at} ${one.type} ${one.client}`}
        error={activities.error}
        onRetry={() => void activities.refetch()}
        empty={
          isKept ? (
            <EmptyState title="No activities" text="Sign-ins and changes of this account are listed here." />
          ) : (
            <EmptyState
              title="Activities are not kept"
              text="The identity server does not record events for this tenant."
            />
          )
        }
      />
      {!isLong && rows !== undefined && rows.length > fewRows && (
        <span>
          <Button small onClick={() => setLong(true)}>
            Show all {rows.length}
          </Button>
        </span>
      )}
    </section>
  )
}
