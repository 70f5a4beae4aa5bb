import type { Permission } from '@quayside/contract/permissions/permission-entry'
import type { Space } from '@quayside/contract/spaces/endpoints'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconUserMinus from '@tabler/icons-react/dist/esm/icons/IconUserMinus.mjs'
import type { ReactNode } from 'react'
import { usePermissions, useRemovePermission } from '../../../api/permissions/permissions.ts'
import { listed, scopeWords } from '../../../api/permissions/scope-words.ts'
import { actorName } from '../../../lib/actor-name.ts'
import { useConfirm } from '../../../ui/actions/confirm.tsx'
import { useTellFailure } from '../../../ui/actions/tell-failure.ts'
import { matchesAny } from '../../../ui/forms/matches-any.ts'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { NameCell } from '../../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { RemainingTime } from '../../../ui/text/remaining-time.tsx'
import { useRightsEntry } from '../why/use-rights-entry.ts'
import { detailOf } from '../why/words.ts'
import styles from './permission-list.module.css'
import { PrincipalMark } from './principal-mark.tsx'

const columns: readonly Column<Permission>[] = [
  {
    key: 'name',
    title: 'Name',
    sortBy: ({ principal }) => principal.name,
    cell: ({ principal }) => (
      <NameCell mark={<PrincipalMark type={principal.type} name={principal.name} />} below={detailOf(principal)}>
        {principal.name}
        {principal.isGone && <span className={styles.gone}> does not exist any more</span>}
      </NameCell>
    ),
  },
  {
    key: 'role',
    title: 'Role here',
    sortBy: ({ role }) => role.name,
    cell: ({ role, scopes, owner }) => (
      <span className={styles.role} title={`Can ${listed(scopes.map((scope) => scopeWords[scope]))}`}>
        <bdi>{role.name}</bdi>
        {owner && <span className={styles.owner}>owner</span>}
      </span>
    ),
  },
  {
    key: 'granted',
    title: 'Given by',
    sortBy: ({ grantedAt }) => grantedAt,
    cell: ({ grantedByName, grantedAt }) => (
      <span className={styles.lines}>
        <bdi>{actorName(grantedByName)}</bdi>
        <span className={styles.when}>
          <RelativeTime at={grantedAt} />
        </span>
      </span>
    ),
  },
  {
    key: 'until',
    title: 'Until',
    sortBy: ({ expiresAt }) => expiresAt ?? '9999',
    cell: ({ expiresAt }) => <RemainingTime until={expiresAt} />,
  },
]

interface Props {
  space: Space
  search: string
  mayChange: boolean
  add: ReactNode
  onChange: (entry: Permission) => void
  onClearSearch: () => void
}

/** The permission list: who was given which role here, by whom, until when. */
export function PermissionList({ space, search, mayChange, add, onChange, onClearSearch }: Props) {
  const list = usePermissions(space.id)
  const remove = useRemove(space)
  const rightsEntry = useRightsEntry(space)
  const rows = list.data?.filter(({ principal, role }) =>
    matchesAny([principal.name, detailOf(principal), role.name], search),
  )
  return (
    <DataTable
      sorts="all rows are here"
      label="Members"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      rowName={({ principal }) => principal.name}
      rowMenu={
        mayChange
          ? (entry) => [
              { label: 'Change', icon: IconPencil, onSelect: () => onChange(entry) },
              ...(entry.principal.type === 'user'
                ? [rightsEntry({ id: entry.principal.id, name: entry.principal.name })]
                : []),
              { label: 'Remove', icon: IconUserMinus, danger: true, onSelect: () => void remove(entry) },
            ]
          : undefined
      }
      error={list.error}
      onRetry={() => void list.refetch()}
      empty={
        search === '' ? (
          <EmptyState
            title="Nobody is on this list"
            text="Roles of the tenant also apply in this space. Add members to share it with a team."
            action={add}
          />
        ) : (
          <EmptyState
            title="No member matches"
            action={
              <button type="button" className={styles.clear} onClick={onClearSearch}>
                Clear search
              </button>
            }
          />
        )
      }
    />
  )
}

/** Asks, takes the entry away and says why when the server will not. */
function useRemove(space: Space) {
  const confirm = useConfirm()
  const tell = useTellFailure()
  const remove = useRemovePermission(space.id)
  return async ({ id, principal, role }: Permission) => {
    const sure = await confirm({
      title: 'Remove member',
      danger: true,
      message: (
        <>
          Take the role {role.name} in <bdi>{space.displayName}</bdi> from <bdi>{principal.name}</bdi>? What they hold
          by another way stays.
        </>
      ),
    })
    if (!sure) return
    await remove.mutateAsync(id).catch(tell('The member was not removed'))
  }
}
