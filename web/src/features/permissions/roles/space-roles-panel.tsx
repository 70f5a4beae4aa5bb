import type { SpaceRole } from '@quayside/contract/permissions/endpoints'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { useGuard } from '../../../api/permissions/my-scopes.ts'
import { listed, scopeWords } from '../../../api/permissions/scope-words.ts'
import { useDeleteSpaceRole, useSpaceRoles } from '../../../api/permissions/space-roles.ts'
import { useConfirm } from '../../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { useTellFailure } from '../../../ui/actions/tell-failure.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { NameCell } from '../../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { SpaceRoleDialog } from './space-role-dialog.tsx'
import styles from './space-roles-panel.module.css'

const columns: readonly Column<SpaceRole>[] = [
  {
    key: 'name',
    title: 'Role',
    sortBy: ({ name }) => name,
    cell: ({ name, builtIn }) => (
      <NameCell below={builtIn ? 'built in' : 'of this tenant'}>
        <bdi>{name}</bdi>
      </NameCell>
    ),
  },
  { key: 'description', title: 'For', long: true, cell: ({ description }) => <bdi>{description || '–'}</bdi> },
  {
    key: 'scopes',
    title: 'Can',
    long: true,
    sortBy: ({ scopes }) => scopes.length,
    cell: ({ scopes }) => <bdi>{listed(scopes.map((scope) => scopeWords[scope]))}</bdi>,
  },
]

/** The roles that can be given in spaces: those that every tenant has, and those that this one has defined. */
export function SpaceRolesPanel() {
  const roles = useSpaceRoles()
  const right = useGuard()('space-roles.define', 'define roles for spaces')
  const remove = useRemoveRole()
  const [editing, setEditing] = useState<{ role?: SpaceRole }>()
  return (
    <>
      <div className={styles.bar}>
        <p className={styles.text}>
          <bdi>Roles that members can have, in every space of this tenant.</bdi>
        </p>
        <GuardedButton look="primary" icon={IconPlus} {...right} onClick={() => setEditing({})}>
          New role
        </GuardedButton>
      </div>
      <DataTable
        sorts="all rows are here"
        label="Roles in spaces"
        columns={columns}
        rows={roles.data}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowMenu={(role) =>
          role.builtIn
            ? []
            : [
                { label: 'Edit', icon: IconPencil, right, onSelect: () => setEditing({ role }) },
                { label: 'Delete', icon: IconTrash, danger: true, right, onSelect: () => void remove(role) },
              ]
        }
        error={roles.error}
        onRetry={() => void roles.refetch()}
        empty={<EmptyState title="No roles" />}
      />
      {editing !== undefined && <SpaceRoleDialog role={editing.role} onClose={() => setEditing(undefined)} />}
    </>
  )
}

/** Asks, deletes and says why when the role is still given somewhere. */
function useRemoveRole() {
  const confirm = useConfirm()
  const tell = useTellFailure()
  const remove = useDeleteSpaceRole()
  return async ({ id, name }: SpaceRole) => {
    const message = `Delete the role ${name}? Only a role that nobody has can be deleted.`
    if (!(await confirm({ title: 'Delete role', danger: true, message }))) return
    await remove.mutateAsync(id).catch(tell('The role was not deleted'))
  }
}
