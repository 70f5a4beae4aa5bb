import type { Group } from '@quayside/contract/groups/endpoints'
import type { User } from '@quayside/contract/users/endpoints'
import { useGroupMembers } from '../../api/groups.ts'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { findGroup } from './flatten-groups.ts'
import styles from './group-members.module.css'

const fullName = ({ firstName, lastName, username }: User) =>
  [firstName, lastName].filter(Boolean).join(' ') || username

export function GroupMembers({ groups, selected }: { groups: readonly Group[]; selected: string | undefined }) {
  const group = selected === undefined ? undefined : findGroup(groups, selected)
  const members = useGroupMembers(group?.id)
  if (group === undefined) {
    return (
      <Panel title="Members">
        <p className={styles.text}>Choose a group to see who is in it.</p>
      </Panel>
    )
  }
  return (
    <Panel title={group.name} aside={members.data && <bdi>{members.data.length}</bdi>}>
      <CopyableId id={group.id} label="group id" />
      {members.error !== null && (
        <ErrorPanel error={members.error} name="Members" onRetry={() => void members.refetch()} />
      )}
      {members.isLoading && <Loading />}
      {members.data?.length === 0 && <p className={styles.text}>Nobody is in this group itself.</p>}
      <ul className={styles.list}>
        {members.data?.map((user) => (
          <li key={user.id}>
            <NameCell mark={<Avatar name={fullName(user)} size={26} round />} below={user.username}>
              {fullName(user)}
            </NameCell>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
