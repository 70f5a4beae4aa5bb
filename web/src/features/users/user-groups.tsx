import type { UserDetail } from '@quayside/contract/users/endpoints'
import IconUserMinus from '@tabler/icons-react/dist/esm/icons/IconUserMinus.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { useState } from 'react'
import { groupOptions, useGroups } from '../../api/groups.ts'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useChangeMembership, useUserGroups } from '../../api/users/users.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { OptionSelect } from '../../ui/forms/option-select.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import styles from './users.module.css'

interface Row {
  id: string
  name: string
}

const columns: readonly Column<Row>[] = [
  {
    key: 'name',
    title: 'Group',
    sortBy: ({ name }) => name,
    cell: ({ name, id }) => <NameCell below={id}>{name}</NameCell>,
  },
]

/** The groups that the user is in, with joining and leaving. */
export function UserGroups({ user }: { user: UserDetail }) {
  const groups = useUserGroups(user.id)
  const all = useGroups()
  const change = useChangeMembership(user.id)
  const [chosen, setChosen] = useState<string>()
  const right = useGuard()('user.groups', `change the groups of ${user.username}`)
  const isIn = new Set(groups.data?.map(({ id }) => id))
  return (
    <section aria-label="Groups" className={styles.stack}>
      <OptionSelect
        label="Add to a group"
        options={all.data && groupOptions(all.data).filter(({ value }) => !isIn.has(value))}
        value={chosen}
        placeholder="Choose a group"
        disabled={right.allowed !== true}
        error={all.error}
        errorName="Groups"
        emptyText="No groups"
        onChange={setChosen}
      />
      <div className={styles.bar}>
        <GuardedButton
          {...right}
          look="primary"
          disabled={chosen === undefined}
          busy={change.isPending}
          onClick={() =>
            chosen !== undefined &&
            change.mutate({ way: 'joinGroup', gid: chosen }, { onSuccess: () => setChosen(undefined) })
          }
        >
          Add
        </GuardedButton>
      </div>
      {change.error !== null && <ErrorPanel error={change.error} name="Change of groups" />}
      <DataTable
        sorts="all rows are here"
        label="Groups"
        columns={columns}
        rows={groups.data}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowMenu={({ id }) => [
          {
            label: 'Remove from the group',
            icon: IconUserMinus,
            danger: true,
            onSelect: () => change.mutate({ way: 'leaveGroup', gid: id }),
            right,
          },
        ]}
        error={groups.error}
        onRetry={() => void groups.refetch()}
        empty={
          <EmptyState
            icon={IconUsers}
            title="No groups"
            text="This user is not in any group. Groups give their members roles and access to spaces."
          />
        }
      />
    </section>
  )
}
