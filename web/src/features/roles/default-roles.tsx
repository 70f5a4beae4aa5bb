import type { Role } from '@quayside/contract/roles/endpoints'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconUserMinus from '@tabler/icons-react/dist/esm/icons/IconUserMinus.mjs'
import { useState } from 'react'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useChangeDefaultRoles, useDefaultRoles } from '../../api/roles.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { RoleChoice } from './role-choice.tsx'
import styles from './roles.module.css'

const columns: readonly Column<Role>[] = [
  { key: 'name', title: 'Role', sortBy: ({ name }) => name, cell: ({ name }) => <NameCell>{name}</NameCell> },
  { key: 'description', title: 'Description', cell: ({ description }) => <bdi>{description || '–'}</bdi>, long: true },
]

/** The roles of the realm that every user has. */
export function DefaultRoles() {
  const roles = useDefaultRoles()
  const change = useChangeDefaultRoles()
  const confirm = useConfirm()
  const [adding, setAdding] = useState(false)
  const right = useGuard()('role.defaults', 'change the roles of every user')
  const remove = async ({ id, name }: Role) => {
    const isSure = await confirm({
      title: 'Remove default role',
      message: `Every user loses ${name}, unless a group or another role gives it to them.`,
      danger: true,
    })
    if (isSure) change.mutate({ way: 'removeDefaultRoles', ids: [id] })
  }
  return (
    <section aria-label="Default roles" className={styles.stack}>
      <div className={styles.bar}>
        <GuardedButton {...right} look="primary" icon={IconPlus} onClick={() => setAdding(true)}>
          Add default roles
        </GuardedButton>
      </div>
      {change.error !== null && <ErrorPanel error={change.error} name="Remove" />}
      <DataTable
        sorts="all rows are here"
        label="Default roles"
        columns={columns}
        rows={roles.data}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowMenu={(role) => [
          { label: 'Remove', icon: IconUserMinus, danger: true, onSelect: () => void remove(role), right },
        ]}
        error={roles.error}
        onRetry={() => void roles.refetch()}
        empty={<EmptyState title="No default roles" text="New users get no roles." />}
      />
      {adding && <AddDialog given={roles.data ?? []} onClose={() => setAdding(false)} />}
    </section>
  )
}

function AddDialog({ given, onClose }: { given: readonly Role[]; onClose: () => void }) {
  const [chosen, setChosen] = useState<string[]>([])
  const change = useChangeDefaultRoles()
  return (
    <FormDialog
      title="Add default roles"
      submitLabel="Assign to every user"
      busy={change.isPending}
      disabled={chosen.length === 0}
      error={change.error}
      onClose={onClose}
      onSubmit={() => change.mutate({ way: 'addDefaultRoles', ids: chosen }, { onSuccess: onClose })}
    >
      <p className={styles.text}>
        <bdi>Every user of this tenant gets these roles, existing users included.</bdi>
      </p>
      <RoleChoice realmOnly without={new Set(given.map(({ id }) => id))} chosen={chosen} onChange={setChosen} />
    </FormDialog>
  )
}
