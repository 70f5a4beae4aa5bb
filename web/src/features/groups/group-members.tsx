import type { Group } from '@quayside/contract/groups/endpoints'
import type { User } from '@quayside/contract/users/endpoints'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { membersPerPage, useMemberPage } from '../../api/groups.ts'
import { useOpens } from '../../api/permissions/my-scopes.ts'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { Pager } from '../../ui/lists/paging/pager.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import styles from './group-members.module.css'

const fullName = ({ firstName, lastName, username }: User) =>
  [firstName, lastName].filter(Boolean).join(' ') || username

/** The people of the chosen group, searched and paged by the server. */
export function GroupMembers({ group }: { group: Group | undefined }) {
  if (group === undefined) {
    return (
      <Panel title="Members">
        <p className={styles.text}>
          <bdi>Choose a group to see its members.</bdi>
        </p>
      </Panel>
    )
  }
  return <Members key={group.id} group={group} />
}

function Members({ group }: { group: Group }) {
  const [search, setSearch] = useState('')
  const [skip, setSkip] = useState(0)
  const members = useMemberPage(group.id, search, skip)
  const opensUsers = useOpens()('users/$userId')
  const total = members.data?.page.total
  return (
    <Panel title={`Members of ${group.name}`} aside={total !== undefined && <bdi>{total}</bdi>}>
      <CopyableId id={group.id} label="group id" />
      {(search !== '' || group.memberCount > 8) && (
        <div className={styles.search}>
          <SearchField
            label="Name, user name, e-mail"
            value={search}
            onChange={(text) => {
              setSearch(text)
              setSkip(0)
            }}
          />
        </div>
      )}
      {members.error !== null && (
        <ErrorPanel error={members.error} name="Members" onRetry={() => void members.refetch()} />
      )}
      {members.isLoading && <Loading />}
      {total === 0 && (
        <p className={styles.text}>
          <bdi>{search === '' ? 'This group has no direct members.' : 'No member matches.'}</bdi>
        </p>
      )}
      <ul className={styles.list}>
        {members.data?.data.map((user) => (
          <li key={user.id}>
            <NameCell mark={<Avatar name={fullName(user)} size={26} round />} below={user.username}>
              {opensUsers ? (
                <Link to="/users/$userId" params={{ userId: user.id }}>
                  {fullName(user)}
                </Link>
              ) : (
                fullName(user)
              )}
            </NameCell>
          </li>
        ))}
      </ul>
      {total !== undefined && <Pager skip={skip} limit={membersPerPage} total={total} onSkip={setSkip} />}
    </Panel>
  )
}
