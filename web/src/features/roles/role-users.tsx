import type { User } from '@quayside/contract/users/endpoints'
import { Link } from '@tanstack/react-router'
import { type HeldBy, useRoleUsers } from '../../api/roles.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { SearchField } from '../../ui/forms/search-field.tsx'
import type { ServerColumn } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { PagedTable } from '../../ui/lists/paging/paged-table.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import styles from './roles.module.css'

const nameOf = ({ firstName, lastName, username }: User) => [firstName, lastName].filter(Boolean).join(' ') || username

const columns: readonly ServerColumn<User>[] = [
  {
    key: 'name',
    title: 'User',
    cell: (user) => (
      <NameCell mark={<Avatar name={nameOf(user)} round />} below={user.username}>
        <Link to="/users/$userId" params={{ userId: user.id }}>
          {nameOf(user)}
        </Link>
      </NameCell>
    ),
  },
  { key: 'email', title: 'E-mail', cell: ({ email }) => <bdi>{email ?? '–'}</bdi> },
  {
    key: 'enabled',
    title: 'State',
    cell: ({ enabled }) => <StateBadge state={enabled ? 'enabled' : 'disabled'} />,
  },
]

/** The users to whom a role is assigned itself, not by a group or another role. */
export function RoleUsers({ role }: { role: HeldBy }) {
  const [{ q = '', skip = '0' }, setUrl] = useUrlState()
  const users = useRoleUsers(role, q, Number(skip))
  return (
    <section aria-label="Users" className={styles.stack}>
      <div className={styles.search}>
        <SearchField label="Name, user name, e-mail" value={q} onChange={(text) => setUrl({ q: text, skip: '' })} />
      </div>
      <PagedTable
        label="Users"
        columns={columns}
        list={users}
        rowKey={({ id }) => id}
        rowsName="users"
        empty={
          <EmptyState
            title={q === '' ? 'Nobody is assigned this role' : 'No user matches'}
            text="Users may still have it through a group or another role."
          />
        }
      />
    </section>
  )
}
