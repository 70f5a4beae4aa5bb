import type { RoleDetail, RolePart } from '@quayside/contract/roles/endpoints'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconUserMinus from '@tabler/icons-react/dist/esm/icons/IconUserMinus.mjs'
import { useState } from 'react'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useChangeParts } from '../../api/roles.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { RoleChoice } from './role-choice.tsx'
import styles from './roles.module.css'

const columns: readonly Column<RolePart>[] = [
  {
    key: 'name',
    title: 'Role',
    sortBy: ({ name }) => name,
    cell: ({ name, description }) => <NameCell below={description || undefined}>{name}</NameCell>,
  },
  {
    key: 'client',
    title: 'Of',
    sortBy: ({ client }) => client ?? '',
    cell: ({ client }) => <bdi>{client ?? 'Realm'}</bdi>,
  },
]

/** The roles inside of a role: whoever holds it holds these. */
export function RoleParts({ role }: { role: RoleDetail }) {
  const change = useChangeParts(role.id)
  const confirm = useConfirm()
  const [adding, setAdding] = useState(false)
  const right = useGuard()('role.edit', `change what ${role.name} contains`)
  const remove = async ({ id, name }: RolePart) => {
    const isSure = await confirm({
      title: 'Take out',
      message: `Everyone who has ${role.name} loses ${name}, unless a group or another role gives it to them.`,
      danger: true,
    })
    if (isSure) change.mutate({ way: 'removeParts', ids: [id] })
  }
  return (
    <section aria-label="Roles inside" className={styles.stack}>
      {!role.builtIn && (
        <div className={styles.bar}>
          <GuardedButton {...right} look="primary" icon={IconPlus} onClick={() => setAdding(true)}>
            Add roles
          </GuardedButton>
        </div>
      )}
      {change.error !== null && <ErrorPanel error={change.error} name="Take out" />}
      <DataTable
        sorts="all rows are here"
        label="Roles inside"
        columns={columns}
        rows={role.parts}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowMenu={(part) =>
          role.builtIn
            ? []
            : [{ label: 'Take out', icon: IconUserMinus, danger: true, onSelect: () => void remove(part), right }]
        }
        empty={<EmptyState title="No roles inside" text="This role does not contain other roles." />}
      />
      {adding && <AddDialog role={role} onClose={() => setAdding(false)} />}
    </section>
  )
}

function AddDialog({ role, onClose }: { role: RoleDetail; onClose: () => void }) {
  const [chosen, setChosen] = useState<string[]>([])
  const change = useChangeParts(role.id)
  return (
    <FormDialog
      title={`Add roles to ${role.name}`}
      submitLabel="Add"
      busy={change.isPending}
      disabled={chosen.length === 0}
      error={change.error}
      onClose={onClose}
      onSubmit={() => change.mutate({ way: 'addParts', ids: chosen }, { onSuccess: onClose })}
    >
      <RoleChoice
        without={new Set([role.id, ...role.parts.map(({ id }) => id)])}
        chosen={chosen}
        onChange={setChosen}
      />
    </FormDialog>
  )
}
