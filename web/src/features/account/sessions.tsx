import type { Session } from '@quayside/contract/account/endpoints'
import IconLogout from '@tabler/icons-react/dist/esm/icons/IconLogout.mjs'
import type { z } from 'zod'
import { useEndSession, useSessions, useSignOutEverywhere } from '../../api/account.ts'
import { Button } from '../../ui/actions/button.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './sessions.module.css'

type SessionRow = z.infer<typeof Session>

const columns: readonly Column<SessionRow>[] = [
  {
    key: 'ip',
    title: 'Address',
    cell: ({ ipAddress, id }) => <NameCell below={id}>{ipAddress ?? 'Unknown address'}</NameCell>,
  },
  {
    key: 'current',
    title: 'Device',
    cell: ({ current }) => (current ? <StateBadge state="active" label="This one" /> : 'Another'),
  },
  { key: 'clients', title: 'Clients', cell: ({ clients }) => <bdi>{clients.join(', ') || '–'}</bdi> },
  { key: 'started', title: 'Signed in', cell: ({ startedAt }) => <RelativeTime at={startedAt} /> },
  { key: 'seen', title: 'Last seen', cell: ({ lastAccessAt }) => <RelativeTime at={lastAccessAt} /> },
]

/** Where this account is signed in, and the way to end all of it. */
export function Sessions() {
  const confirm = useConfirm()
  const sessions = useSessions()
  const endAll = useSignOutEverywhere()
  const end = useEndSession()
  const ask = async () => {
    const sure = await confirm({
      title: 'Sign out everywhere',
      message: 'All your sessions end, including this one.',
      danger: true,
    })
    if (sure) endAll.mutate()
  }
  return (
    <section aria-label="Sessions" className={styles.sessions}>
      <header className={styles.head}>
        <h2>Sessions</h2>
        <Button small busy={endAll.isPending} onClick={() => void ask()}>
          Sign out everywhere
        </Button>
      </header>
      {endAll.error !== null && <ErrorPanel error={endAll.error} name="Sign out everywhere" />}
      {end.error !== null && <ErrorPanel error={end.error} name="Sign out" />}
      <DataTable
        sorts="all rows are here"
        label="Sessions"
        columns={columns}
        rows={sessions.data}
        rowKey={({ id }) => id}
        rowName={({ ipAddress }) => ipAddress ?? 'Unknown address'}
        rowMenu={({ id, current }) =>
          current ? [] : [{ label: 'Sign out', icon: IconLogout, onSelect: () => end.mutate(id) }]
        }
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
        empty={<EmptyState title="No sessions" text="You have no open sessions." />}
      />
    </section>
  )
}
