import type { User } from '@quayside/contract/iam'
import type { ListReply } from '@quayside/contract/paging'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../../lib/page-title.ts'
import { usePortal } from '../../lib/portal.tsx'
import { useUrlState } from '../../lib/url-state.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { NameCell } from '../../ui/name-cell.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pager } from '../../ui/pager.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'

const perPage = 50
const fullName = ({ firstName, lastName, username }: User) =>
  [firstName, lastName].filter(Boolean).join(' ') || username

const columns: readonly Column<User>[] = [
  {
    key: 'name',
    title: 'Name',
    sortBy: fullName,
    cell: (user) => (
      <NameCell mark={<Avatar name={fullName(user)} round />} below={user.username}>
        {fullName(user)}
      </NameCell>
    ),
  },
  { key: 'email', title: 'E-mail', sortBy: ({ email }) => email, cell: ({ email }) => <bdi>{email ?? '–'}</bdi> },
  {
    key: 'state',
    title: 'State',
    sortBy: ({ enabled }) => Number(enabled),
    cell: ({ enabled }) => <StateBadge state={enabled ? 'enabled' : 'disabled'} />,
  },
  {
    key: 'created',
    title: 'Created',
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]

export function UsersPage() {
  usePageTitle('Users')
  const { api } = usePortal()
  const [{ q = '', sort, skip = '0' }, setUrl] = useUrlState()
  const users = useQuery({
    queryKey: ['users', q, skip],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.get<ListReply<User>>('/iam/v3/users', {
        signal,
        query: { search: q, page: { skip: Number(skip), limit: perPage } },
      }),
  })
  const total = users.data?.page.total
  return (
    <>
      <PageHeader
        title="Users"
        count={total}
        actions={
          <Link to="/users/service-accounts" className={buttonClass()}>
            Service accounts
          </Link>
        }
        search={{ label: 'Name, user name, e-mail', value: q, onChange: (text) => setUrl({ q: text, skip: '' }) }}
      />
      <DataTable
        label="Users"
        columns={columns}
        rows={users.data?.data}
        rowKey={({ id }) => id}
        error={users.error}
        onRetry={() => void users.refetch()}
        sort={sort}
        onSort={(next) => setUrl({ sort: next })}
        empty={
          q === '' ? (
            <EmptyState title="No users" text="People of this tenant's realm are listed here." />
          ) : (
            <EmptyState
              title="No user matches"
              action={<Button onClick={() => setUrl({ q: '' })}>Clear search</Button>}
            />
          )
        }
      />
      {total !== undefined && (
        <Pager skip={Number(skip)} limit={perPage} total={total} onSkip={(next) => setUrl({ skip: String(next) })} />
      )}
    </>
  )
}
