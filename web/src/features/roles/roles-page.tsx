import type { Role } from '@quayside/contract/roles/endpoints'
import { roleSorts } from '@quayside/contract/roles/sorts'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useGuard, useMay } from '../../api/permissions/my-scopes.ts'
import { useRolePage } from '../../api/roles.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/actions/button.tsx'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'
import type { ServerColumn } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { PagedTable } from '../../ui/lists/paging/paged-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { DefaultRoles } from './default-roles.tsx'
import { RoleDialog } from './role-dialog.tsx'

const columns: readonly ServerColumn<Role>[] = [
  {
    key: 'name',
    title: 'Role',
    cell: ({ id, name }) => (
      <NameCell>
        <Link to="/roles/$roleId" params={{ roleId: id }}>
          {name}
        </Link>
      </NameCell>
    ),
  },
  { key: 'description', title: 'Description', cell: ({ description }) => <bdi>{description || '–'}</bdi>, long: true },
  { key: 'composite', title: 'Kind', cell: ({ composite }) => (composite ? 'Composite' : 'Simple') },
  { key: 'id', title: 'Id', cell: ({ id }) => <CopyableId id={id} label="role id" /> },
]

/** The roles of the realm, and those that every user has. */
export function RolesPage() {
  usePageTitle('Roles')
  if (useMay()('role.see-defaults') !== true) return <RoleList />
  return (
    <UrlTabs
      label="Roles and default roles"
      tabs={[
        { value: 'roles', title: 'Roles', panel: <RoleList /> },
        { value: 'defaults', title: 'Default roles', heading: 'Roles that every user has', panel: <DefaultRoles /> },
      ]}
    />
  )
}

function RoleList() {
  const [{ q = '', sort, skip = '0' }, setUrl] = useUrlState()
  const [adding, setAdding] = useState(false)
  const roles = useRolePage(q, sort, Number(skip))
  const guard = useGuard()
  const total = roles.data?.page.total
  return (
    <>
      <PageHeader
        title="Roles"
        count={total}
        actions={
          <GuardedButton
            {...guard('role.create', 'make a role')}
            look="primary"
            icon={IconPlus}
            onClick={() => setAdding(true)}
          >
            New role
          </GuardedButton>
        }
        search={{ label: 'Name, description', value: q, onChange: (text) => setUrl({ q: text, skip: '' }) }}
      />
      <PagedTable
        label="Roles"
        columns={columns}
        sortable={roleSorts}
        list={roles}
        rowKey={({ id }) => id}
        rowsName="roles"
        empty={
          q === '' ? (
            <EmptyState title="No roles" text="The roles of this tenant are listed here." />
          ) : (
            <EmptyState
              title="No role matches"
              action={<Button onClick={() => setUrl({ q: '' })}>Clear search</Button>}
            />
          )
        }
      />
      {adding && <RoleDialog onClose={() => setAdding(false)} />}
    </>
  )
}
