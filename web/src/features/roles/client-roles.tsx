import type { Role } from '@quayside/contract/roles/endpoints'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconUserMinus from '@tabler/icons-react/dist/esm/icons/IconUserMinus.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { useState } from 'react'
import { useGuard, useMay } from '../../api/permissions/my-scopes.ts'
import { useChangeClientDefaultRoles, useClientDefaultRoles, useDeleteClientRole, useRolesOf } from '../../api/roles.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/actions/button.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { ClientRoleDialog } from './client-role-dialog.tsx'
import { RoleUsers } from './role-users.tsx'
import styles from './roles.module.css'

interface Props {
  client: { id: string; clientId: string }
  /** The portal needs them: they are neither made nor changed, but can be given. */
  isKept: boolean
}

/** The roles of a client, and on demand the users to whom one of them is assigned. */
export function ClientRoles({ client, isKept }: Props) {
  const [{ role: chosen }, setUrl] = useUrlState()
  const roles = useRolesOf(client.id)
  const role = roles.data?.find(({ id }) => id === chosen)
  if (role === undefined) return <RoleTable {...{ client, isKept, roles }} />
  return (
    <section aria-label={`Users with ${role.name}`} className={styles.stack}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          Users with <bdi>{role.name}</bdi>
        </h2>
        <Button onClick={() => setUrl({ role: '', q: '', skip: '' })}>All roles</Button>
      </div>
      <RoleUsers role={{ cid: client.id, rid: role.id }} />
    </section>
  )
}

/** Every user has the roles that are default roles, when they can be seen. */
function useDefaults(cid: string) {
  const isOpen = useMay()('role.see-defaults') === true
  const defaults = useClientDefaultRoles(cid, isOpen)
  const ids = defaults.data && new Set(defaults.data.map(({ id }) => id))
  return { ids, error: defaults.error }
}

const columnsFor = (defaults: ReadonlySet<string> | undefined): readonly Column<Role>[] => [
  {
    key: 'name',
    title: 'Role',
    sortBy: ({ name }) => name,
    cell: ({ name, description }) => <NameCell below={description || undefined}>{name}</NameCell>,
  },
  { key: 'composite', title: 'Kind', cell: ({ composite }) => (composite ? 'Composite' : 'Simple') },
  ...(defaults === undefined
    ? []
    : [{ key: 'default', title: 'Every user has it', cell: ({ id }: Role) => (defaults.has(id) ? 'Yes' : 'No') }]),
]

/** Entries of the menu of a role. */
function useRoleMenu(
  { client, isKept }: Props,
  defaults: ReadonlySet<string> | undefined,
  onEdit: (role: Role) => void,
) {
  const guard = useGuard()
  const confirm = useConfirm()
  const [, setUrl] = useUrlState()
  const [remove, give] = [useDeleteClientRole(client.id), useChangeClientDefaultRoles(client.id)]
  const askDelete = async ({ id, name }: Role) => {
    const message = `Delete ${name}? Whoever holds it loses it. This cannot be taken back.`
    if (await confirm({ title: 'Delete role', message, danger: true })) remove.mutate(id)
  }
  const askDefault = async ({ id, name }: Role, isGiven: boolean) => {
    const message = isGiven
      ? `Every user loses ${name}, unless they have it by another way.`
      : `Every user gets ${name}, those who are there too.`
    const title = isGiven ? 'Remove default role' : 'Give to every user'
    if (!(await confirm({ title, message, danger: true }))) return
    give.mutate({ way: isGiven ? 'removeClientDefaultRoles' : 'addClientDefaultRoles', id })
  }
  const toEverybody = (role: Role) => {
    if (defaults === undefined) return []
    const isGiven = defaults.has(role.id)
    const right = guard('role.defaults', `give ${role.name} to every user`)
    const [label, icon] = isGiven
      ? (['Remove from every user', IconUserMinus] as const)
      : (['Give to every user', IconPlus] as const)
    return [{ label, icon, onSelect: () => void askDefault(role, isGiven), right }]
  }
  const changes = (role: Role) => [
    {
      ...{ label: 'Edit', icon: IconPencil, onSelect: () => onEdit(role) },
      right: guard('role.edit', `edit ${role.name}`),
    },
    {
      ...{ label: 'Delete', icon: IconTrash, danger: true, onSelect: () => void askDelete(role) },
      right: guard('role.delete', `delete ${role.name}`),
    },
  ]
  return {
    error: remove.error ?? give.error,
    menuOf: (role: Role) => [
      { label: 'Users', icon: IconUsers, onSelect: () => setUrl({ role: role.id, q: '', skip: '' }) },
      ...toEverybody(role),
      ...(isKept ? [] : changes(role)),
    ],
  }
}

function RoleTable({ client, isKept, roles }: Props & { roles: ReturnType<typeof useRolesOf> }) {
  const guard = useGuard()
  const [editing, setEditing] = useState<Role | 'new'>()
  const defaults = useDefaults(client.id)
  const menu = useRoleMenu({ client, isKept }, defaults.ids, setEditing)
  const error = menu.error ?? defaults.error
  return (
    <section aria-label="Roles" className={styles.stack}>
      {!isKept && (
        <div className={styles.bar}>
          <GuardedButton
            {...guard('role.create', `make a role of ${client.clientId}`)}
            look="primary"
            icon={IconPlus}
            onClick={() => setEditing('new')}
          >
            New role
          </GuardedButton>
        </div>
      )}
      {error !== null && <ErrorPanel error={error} name="Roles" />}
      <DataTable
        sorts="all rows are here"
        label="Roles"
        columns={columnsFor(defaults.ids)}
        rows={roles.data}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowMenu={menu.menuOf}
        error={roles.error}
        onRetry={() => void roles.refetch()}
        empty={<EmptyState title="No roles" text="Roles of this client say what people may do in it." />}
      />
      {editing !== undefined && (
        <ClientRoleDialog
          client={client}
          role={editing === 'new' ? undefined : editing}
          onClose={() => setEditing(undefined)}
        />
      )}
    </section>
  )
}
