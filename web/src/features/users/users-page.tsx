import type { User } from '@quayside/contract/users/endpoints'
import type { Lockout } from '@quayside/contract/users/lockouts'
import { mostSortedUsers, userSorts } from '@quayside/contract/users/sorts'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useGuard, useMay } from '../../api/permissions/my-scopes.ts'
import { useLockouts } from '../../api/users/lockouts.ts'
import { useUsers } from '../../api/users/users.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button, buttonClass } from '../../ui/actions/button.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'
import type { ServerColumn } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { PagedTable } from '../../ui/lists/paging/paged-table.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { fullName } from './full-name.ts'
import { LockedAddresses, LockedOut, Unlockings } from './lockouts.tsx'
import { UserDialog } from './user-dialog.tsx'

const columnsFor = (lockouts: ReadonlyMap<string, Lockout> | undefined): readonly ServerColumn<User>[] => [
  {
    key: 'name',
    title: 'Name',
    cell: (user) => (
      <NameCell mark={<Avatar name={fullName(user)} round />} below={user.username}>
        <Link to="/users/$userId" params={{ userId: user.id }}>
          {fullName(user)}
        </Link>
      </NameCell>
    ),
  },
  { key: 'email', title: 'E-mail', cell: ({ email }) => <bdi>{email ?? '–'}</bdi> },
  {
    key: 'enabled',
    title: 'State',
    cell: (user) => {
      const lockout = lockouts?.get(user.id)
      if (lockout) return <LockedOut lockout={lockout} name={fullName(user)} />
      return <StateBadge state={user.enabled ? 'enabled' : 'disabled'} />
    },
  },
  {
    key: 'createdAt',
    title: 'Created',
    cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
  },
]

interface Props {
  /** The content of the tab of requests, for who manages roles. */
  requests: ReactNode
}

/** The people of the realm, and who asks for roles of the tenant. */
export function UsersPage({ requests }: Props) {
  usePageTitle('Users')
  const managesRoles = useMay()('roles.requests') === true
  if (!managesRoles) return <UserList />
  return (
    <UrlTabs
      label="Users and requests for roles"
      tabs={[
        { value: 'users', title: 'Users', panel: <UserList /> },
        { value: 'requests', title: 'Requests', heading: 'Requests for roles of the tenant', panel: requests },
      ]}
    />
  )
}

function UserList() {
  const [{ q = '', sort, skip = '0' }, setUrl] = useUrlState()
  const users = useUsers(q, sort, Number(skip))
  const lockouts = useLockouts((users.data?.data ?? []).map(({ id }) => id))
  const guard = useGuard()
  const [adding, setAdding] = useState(false)
  const total = users.data?.page.total
  // The identity server itself sorts by user name alone.
  const isSortable = total !== undefined && total <= mostSortedUsers
  return (
    <>
      <PageHeader
        title="Users"
        count={total}
        actions={
          <>
            <Link to="/users/service-accounts" className={buttonClass()}>
              Service accounts
            </Link>
            <GuardedButton
              {...guard('user.create', 'make a user')}
              look="primary"
              icon={IconPlus}
              onClick={() => setAdding(true)}
            >
              New user
            </GuardedButton>
          </>
        }
        search={{ label: 'Name, user name, e-mail', value: q, onChange: (text) => setUrl({ q: text, skip: '' }) }}
      />
      <LockedAddresses />
      {lockouts.error !== null && (
        <ErrorPanel error={lockouts.error} name="Lockouts" onRetry={() => void lockouts.refetch()} />
      )}
      <PagedTable
        label="Users"
        columns={columnsFor(lockouts.data)}
        sortable={isSortable ? userSorts : []}
        list={users}
        rowKey={({ id }) => id}
        rowsName="users"
        empty={
          q === '' ? (
            <EmptyState title="No users" text="The users of this tenant are listed here." />
          ) : (
            <EmptyState
              title="No user matches"
              action={<Button onClick={() => setUrl({ q: '' })}>Clear search</Button>}
            />
          )
        }
      />
      <Unlockings />
      {adding && <UserDialog onClose={() => setAdding(false)} />}
    </>
  )
}
