import type { ClientDetail, ClientSession } from '@quayside/contract/clients/administration'
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import { Link } from '@tanstack/react-router'
import { useClientSessions } from '../../api/clients.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { DataTable, type ServerColumn } from '../../ui/lists/data-table.tsx'
import { EmptyPage } from '../../ui/lists/empty-page.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { UrlPager } from '../../ui/lists/url-pager.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'

const columns: readonly ServerColumn<ClientSession>[] = [
  {
    key: 'user',
    title: 'User',
    cell: ({ user }) => (
      <NameCell>
        <Link to="/users/$userId" params={{ userId: user.id }}>
          {user.username}
        </Link>
      </NameCell>
    ),
  },
  { key: 'ip', title: 'Address', cell: ({ ipAddress }) => <bdi>{ipAddress ?? 'Unknown address'}</bdi> },
  { key: 'startedAt', title: 'Signed in', cell: ({ startedAt }) => <RelativeTime at={startedAt} /> },
  { key: 'lastAccessAt', title: 'Last seen', cell: ({ lastAccessAt }) => <RelativeTime at={lastAccessAt} /> },
]

/** People who are signed in with a client. Sessions are ended on the page of a user. */
export function ClientSessions({ client }: { client: ClientDetail }) {
  const [{ skip = '0' }] = useUrlState()
  const sessions = useClientSessions(client.id, Number(skip))
  return (
    <section aria-label="Sessions">
      <DataTable
        sorts="the server"
        label="Sessions"
        columns={columns}
        rows={sessions.data?.data}
        rowKey={({ id }) => id}
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
        empty={
          <EmptyPage page={sessions.data?.page} rows="sessions">
            <EmptyState
              icon={IconDeviceDesktop}
              title="Nobody is signed in"
              text="People who sign in with this client are listed here."
            />
          </EmptyPage>
        }
      />
      <UrlPager page={sessions.data?.page} />
    </section>
  )
}
