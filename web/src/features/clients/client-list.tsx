import type { ClientRow } from '@quayside/contract/clients/administration'
import { clientSorts } from '@quayside/contract/clients/sorts'
import IconPlugConnected from '@tabler/icons-react/dist/esm/icons/IconPlugConnected.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useClientPage } from '../../api/clients.ts'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/actions/button.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import type { ServerColumn } from '../../ui/lists/data-table.tsx'
import { FilterChip } from '../../ui/lists/filter-chip.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { PagedTable } from '../../ui/lists/paging/paged-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { ApplicationDialog } from './application-dialog.tsx'
import { kindWords } from './client-kinds.ts'

const columns: readonly ServerColumn<ClientRow>[] = [
  {
    key: 'clientId',
    title: 'Client',
    cell: ({ id, clientId, description }) => (
      <NameCell below={description || undefined}>
        <Link to="/users/clients/$clientId" params={{ clientId: id }}>
          {clientId}
        </Link>
      </NameCell>
    ),
  },
  { key: 'name', title: 'Name', cell: ({ name }) => <bdi>{name}</bdi> },
  { key: 'kind', title: 'Kind', cell: ({ kind }) => kindWords[kind] },
  {
    key: 'enabled',
    title: 'State',
    cell: ({ enabled }) => <StateBadge state={enabled ? 'enabled' : 'disabled'} />,
  },
]

const kinds = (['other', 'app', 'script', 'portal'] as const).map((value) => ({ value, label: kindWords[value] }))

/** Every client of the realm: the portal's own, those of apps and scripts, and applications that people sign in to. */
export function ClientList() {
  const [{ q = '', kind, sort, skip = '0' }, setUrl] = useUrlState()
  const clients = useClientPage({ search: q, kind, sort, skip: Number(skip) })
  const guard = useGuard()
  const [adding, setAdding] = useState(false)
  const isNarrowed = q !== '' || kind !== undefined
  return (
    <>
      <PageHeader
        title="Clients"
        count={clients.data?.page.total}
        actions={
          <GuardedButton
            {...guard('client.create', 'register an application')}
            look="primary"
            icon={IconPlus}
            onClick={() => setAdding(true)}
          >
            Register application
          </GuardedButton>
        }
        search={{ label: 'Client id, name', value: q, onChange: (text) => setUrl({ q: text, skip: '' }) }}
        filters={
          <FilterChip
            label="Kind"
            value={kind}
            options={kinds}
            onChange={(next) => setUrl({ kind: next ?? '', skip: '' })}
          />
        }
      />
      <PagedTable
        label="Clients"
        columns={columns}
        sortable={clientSorts}
        list={clients}
        rowKey={({ id }) => id}
        rowsName="clients"
        empty={
          isNarrowed ? (
            <EmptyState
              title="No client matches"
              action={<Button onClick={() => setUrl({ q: '', kind: '' })}>Clear search</Button>}
            />
          ) : (
            <EmptyState
              icon={IconPlugConnected}
              title="No clients"
              text="Applications that people sign in to are listed here."
            />
          )
        }
      />
      {adding && <ApplicationDialog onClose={() => setAdding(false)} />}
    </>
  )
}
