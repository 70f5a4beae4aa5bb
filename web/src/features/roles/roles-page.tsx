import type { Role } from '@quayside/contract/roles/endpoints'
import { useMemo } from 'react'
import { useRoles } from '../../api/roles.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/actions/button.tsx'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { matchesAny } from '../../ui/forms/matches-any.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'

const columns: readonly Column<Role>[] = [
  { key: 'name', title: 'Role', sortBy: ({ name }) => name, cell: ({ name }) => <NameCell>{name}</NameCell> },
  {
    key: 'description',
    title: 'Description',
    sortBy: ({ description }) => description,
    cell: ({ description }) => <bdi>{description || '–'}</bdi>,
  },
  {
    key: 'composite',
    title: 'Kind',
    sortBy: ({ composite }) => Number(composite),
    cell: ({ composite }) => (composite ? 'Composite' : 'Simple'),
  },
  { key: 'id', title: 'Id', cell: ({ id }) => <CopyableId id={id} label="role id" /> },
]

export function RolesPage() {
  usePageTitle('Roles')
  const [{ q = '', sort }, setUrl] = useUrlState()
  const roles = useRoles()
  const shown = useMemo(
    () => roles.data?.filter(({ name, description }) => matchesAny([name, description], q)),
    [roles.data, q],
  )
  return (
    <>
      <PageHeader
        title="Roles"
        count={roles.data?.length}
        search={{ label: 'Name, description', value: q, onChange: (text) => setUrl({ q: text }) }}
      />
      <DataTable
        sorts="all rows are here"
        label="Roles"
        columns={columns}
        rows={shown}
        rowKey={({ id }) => id}
        error={roles.error}
        onRetry={() => void roles.refetch()}
        sort={sort}
        onSort={(next) => setUrl({ sort: next })}
        empty={
          q === '' ? (
            <EmptyState title="No roles" text="Roles of this tenant's realm are listed here." />
          ) : (
            <EmptyState
              title="No role matches"
              action={<Button onClick={() => setUrl({ q: '' })}>Clear search</Button>}
            />
          )
        }
      />
    </>
  )
}
