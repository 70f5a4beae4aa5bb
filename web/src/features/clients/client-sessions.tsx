import type { ClientDetail, ClientSession } from '@quayside/contract/clients/administration'
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs'
import { Link } from '@tanstack/react-router'
import { useClientSessions } from '../../api/clients.ts'
import { useUrlState } from '../../lib/url-state.ts'
import type { ServerColumn } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { PagedTable } from '../../ui/lists/paging/paged-table.tsx'
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
      <PagedTable
        label="Sessions"
        columns={columns}
        list={sessions}
        rowKey={({ id }) => id}
        rowsName="sessions"
        empty={
          <EmptyState
            icon={IconDeviceDesktop}
            title="Nobody is signed in"
            text="People who sign in with this client are listed here."
          />
        }
      />
    </section>
  )
}
