import type { Client } from '@quayside/contract/clients/endpoints'
import IconKey from '@tabler/icons-react/dist/esm/icons/IconKey.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useDeleteClient, useScriptClients } from '../../api/clients.ts'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { TagList } from '../../ui/lists/tag.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ClientDialog } from './client-dialog.tsx'

const columns: readonly Column<Client>[] = [
  {
    key: 'clientId',
    title: 'Client',
    sortBy: ({ clientId }) => clientId,
    cell: ({ id, clientId, description }) => (
      <NameCell below={description || undefined}>
        <Link to="/users/clients/$clientId" params={{ clientId: id }}>
          {clientId}
        </Link>
      </NameCell>
    ),
  },
  { key: 'roles', title: 'Roles', cell: ({ roles }) => <TagList tags={roles} /> },
]

/** Clients that scripts sign in with, by client credentials. */
export function ScriptList() {
  const clients = useScriptClients()
  const guard = useGuard()
  const [adding, setAdding] = useState(false)
  const remove = useRemove()
  const add = (
    <GuardedButton
      look="primary"
      icon={IconPlus}
      {...guard('script.create', 'make a service account')}
      onClick={() => setAdding(true)}
    >
      New service account
    </GuardedButton>
  )
  return (
    <>
      <PageHeader title="Service accounts" count={clients.data?.length} actions={add} />
      <DataTable
        sorts="all rows are here"
        label="Service accounts"
        columns={columns}
        rows={clients.data}
        rowKey={({ id }) => id}
        rowName={({ clientId }) => clientId}
        rowMenu={(client) => [
          {
            label: 'Delete',
            icon: IconTrash,
            danger: true,
            onSelect: () => void remove(client),
            right: guard('script.delete', `delete ${client.clientId}`),
          },
        ]}
        error={clients.error}
        onRetry={() => void clients.refetch()}
        empty={
          <EmptyState
            icon={IconKey}
            title="No service accounts"
            text="A script signs in with one, and has the permissions of its roles."
            action={add}
          />
        }
      />
      {adding && <ClientDialog onClose={() => setAdding(false)} />}
    </>
  )
}

function useRemove() {
  const confirm = useConfirm()
  const tell = useTellFailure()
  const removal = useDeleteClient()
  return async (client: Client) => {
    if (
      !(await confirm({
        message: `Delete ${client.clientId}? Scripts that use it can no longer sign in.`,
        danger: true,
      }))
    )
      return
    await removal.mutateAsync(client.id).catch(tell('Not deleted'))
  }
}
