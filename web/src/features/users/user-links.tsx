import type { LinkedIdentity } from '@quayside/contract/users/credentials'
import type { UserDetail } from '@quayside/contract/users/endpoints'
import IconUnlink from '@tabler/icons-react/dist/esm/icons/IconUnlink.mjs'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useRemoveLink, useUserLinks } from '../../api/users/user-credentials.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { fullName } from './full-name.ts'

const columns: readonly Column<LinkedIdentity>[] = [
  { key: 'name', title: 'Identity provider', sortBy: ({ name }) => name, cell: ({ name }) => <bdi>{name}</bdi> },
  {
    key: 'username',
    title: 'User name there',
    sortBy: ({ username }) => username,
    cell: ({ username }) => <bdi>{username}</bdi>,
  },
]

/** Accounts elsewhere by which the user signs in. */
export function UserLinks({ user }: { user: UserDetail }) {
  const links = useUserLinks(user.id)
  const remove = useRemoveLink(user.id)
  const confirm = useConfirm()
  const name = fullName(user)
  const right = useGuard()('user.credentials', `change how ${name} signs in`)
  const ask = async (link: LinkedIdentity) => {
    const message = `${link.name} does not sign ${name} in any more, and all sessions of ${name} end.`
    if (await confirm({ title: `Unlink ${link.name}`, message, danger: true })) remove.mutate(link.id)
  }
  return (
    <>
      <h2>Linked accounts</h2>
      {remove.error !== null && <ErrorPanel error={remove.error} name="Unlink" />}
      <DataTable
        sorts="all rows are here"
        label="Linked accounts"
        columns={columns}
        rows={links.data}
        rowKey={({ id }) => id}
        rowName={(link) => link.name}
        rowMenu={(link) => [{ label: 'Unlink', icon: IconUnlink, danger: true, onSelect: () => void ask(link), right }]}
        error={links.error}
        onRetry={() => void links.refetch()}
        empty={<EmptyState title="No linked accounts" text="This user signs in by no identity provider." />}
      />
    </>
  )
}
