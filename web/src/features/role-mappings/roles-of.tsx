import type { HeldRole } from '@quayside/contract/role-mappings/endpoints'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconShield from '@tabler/icons-react/dist/esm/icons/IconShield.mjs'
import IconUserMinus from '@tabler/icons-react/dist/esm/icons/IconUserMinus.mjs'
import { useState } from 'react'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { type RoleHolder, useChangeRoles, useHeldRoles } from '../../api/role-mappings.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { AssignDialog } from './assign-dialog.tsx'
import { type RoleRow, rowsOf } from './role-rows.ts'
import styles from './roles-of.module.css'

interface Props {
  kind: RoleHolder
  id: string
  /** Name of the user or group. */
  name: string
}

/** The roles that a user or group has and how they come to each, with assigning and taking back. */
export function RolesOf({ kind, id, name }: Props) {
  const held = useHeldRoles(kind, id)
  const change = useChangeRoles(kind, id)
  const guard = useGuard()
  const confirm = useConfirm()
  const [assigning, setAssigning] = useState(false)
  const [search, setSearch] = useState('')
  const right = guard(kind === 'users' ? 'user.roles' : 'group.roles', `change the roles of ${name}`)
  const rows = held.data && rowsOf(held.data, search)
  const unassign = async ({ name: role, assigned }: RoleRow) => {
    if (assigned === null) return
    const isSure = await confirm({
      title: 'Remove role',
      message: `${name} loses ${role}, unless a group or another role also gives it.`,
      danger: true,
    })
    if (isSure) change.mutate({ way: 'unassign', cid: assigned.cid ?? undefined, roles: [assigned] })
  }
  return (
    <section aria-label="Roles" className={styles.roles}>
      <div className={styles.bar}>
        <SearchField label="Role, client, group" value={search} onChange={setSearch} />
        <GuardedButton {...right} look="primary" icon={IconPlus} onClick={() => setAssigning(true)}>
          Assign roles
        </GuardedButton>
      </div>
      {change.error !== null && <ErrorPanel error={change.error} name="Remove role" />}
      <DataTable
        sorts="all rows are here"
        label="Roles"
        columns={columns}
        rows={rows}
        rowKey={({ key }) => key}
        rowName={(row) => row.name}
        rowMenu={(row) =>
          row.assigned === null
            ? []
            : [{ label: 'Remove', icon: IconUserMinus, danger: true, onSelect: () => void unassign(row), right }]
        }
        error={held.error}
        onRetry={() => void held.refetch()}
        empty={
          <EmptyState
            icon={IconShield}
            title={search === '' ? 'No roles' : 'No role matches'}
            text={
              search === ''
                ? 'Roles decide which sections of the portal a user can open and what they can do there.'
                : undefined
            }
          />
        }
      />
      {assigning && <AssignDialog {...{ kind, id, name }} onClose={() => setAssigning(false)} />}
    </section>
  )
}

const columns: readonly Column<RoleRow>[] = [
  {
    key: 'name',
    title: 'Role',
    sortBy: ({ name }) => name,
    cell: ({ name, client }) => <NameCell below={client ?? 'Realm'}>{name}</NameCell>,
  },
  {
    key: 'ways',
    title: 'Comes by',
    sortBy: ({ assigned }) => (assigned === null ? 1 : 0),
    cell: ({ ways }) => (
      <ul className={styles.ways}>
        {ways.slice(0, 3).map((way) => (
          <li key={wordsOf(way)}>
            <bdi>{wordsOf(way)}</bdi>
          </li>
        ))}
        {ways.length > 3 && <li>{ways.length - 3} more</li>}
      </ul>
    ),
  },
]

const wordsOf = (way: HeldRole['through']) =>
  way.length === 0 ? 'Assigned' : way.map(({ kind, name }) => `${kind} ${name}`).join(', ')
