import type { Configuration } from '@quayside/contract/dashboards/library'
import { configurationSorts } from '@quayside/contract/dashboards/sorts'
import IconAdjustments from '@tabler/icons-react/dist/esm/icons/IconAdjustments.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type ReactNode, useState } from 'react'
import { useConfigurations, useDeleteConfiguration } from '../../../api/dashboards/dashboards.ts'
import { useGuard, useMay } from '../../../api/permissions/my-scopes.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { useConfirm } from '../../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import type { MenuEntry } from '../../../ui/actions/row-menu.tsx'
import { useTellFailure } from '../../../ui/actions/tell-failure.ts'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { FilterChip } from '../../../ui/lists/filter-chip.tsx'
import { PagedTable } from '../../../ui/lists/paging/paged-table.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { columns } from './columns.tsx'
import { type EditedConfiguration, isEdited } from './configuration-content.ts'
import { ConfigurationDialog } from './configuration-dialog.tsx'
import { configurationKinds } from './configuration-kinds.ts'

/** A dialog that is open: for a new configuration, or for one that is there. */
type Editing = { configuration?: EditedConfiguration } | undefined
const kindOptions = Object.entries(configurationKinds).map(([value, label]) => ({ value, label }))

/** Settings of the tenant that panels of several dashboards refer to. */
export function ConfigurationList() {
  usePageTitle('Dashboard configurations')
  const [{ q = '', sort, skip = '0', kind }, setUrl] = useUrlState()
  const found = useConfigurations({ q, kind }, sort, Number(skip) || 0)
  const [editing, setEditing] = useState<Editing>()
  const set = (change: Parameters<typeof setUrl>[0]) => setUrl({ skip: '', ...change })
  const menu = useMenu((configuration) => setEditing({ configuration }))
  const add = (
    <GuardedButton
      look="primary"
      icon={IconPlus}
      {...useGuard()('dashboard.configurations', 'make a configuration')}
      onClick={() => setEditing({})}
    >
      New configuration
    </GuardedButton>
  )
  const isFiltered = q !== '' || kind !== undefined
  return (
    <>
      <PageHeader
        title="Configurations"
        count={found.data?.page.total}
        search={{ label: 'Name', value: q, onChange: (text) => set({ q: text }) }}
        filters={
          <FilterChip label="Kind" value={kind} options={kindOptions} onChange={(value) => set({ kind: value })} />
        }
        actions={add}
      />
      <PagedTable<Configuration>
        sortable={configurationSorts}
        label="Configurations"
        columns={columns}
        list={found}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowMenu={menu}
        rowsName="configurations"
        empty={<Nothing isFiltered={isFiltered} add={add} onClear={() => set({ q: '', kind: '' })} />}
      />
      {editing !== undefined && (
        <ConfigurationDialog configuration={editing.configuration} onClose={() => setEditing(undefined)} />
      )}
    </>
  )
}

function Nothing({ isFiltered, add, onClear }: { isFiltered: boolean; add: ReactNode; onClear: () => void }) {
  if (isFiltered)
    return (
      <EmptyState
        title="No configuration matches"
        action={<Button onClick={onClear}>Clear search and filters</Button>}
      />
    )
  return (
    <EmptyState
      icon={IconAdjustments}
      title="No configurations yet"
      text="A configuration holds links or variables that panels of several dashboards refer to, so that they are changed in one place."
      action={add}
    />
  )
}

/** Actions on a configuration, for those who keep them. */
function useMenu(onEdit: (configuration: EditedConfiguration) => void): (row: Configuration) => MenuEntry[] {
  const mayKeep = useMay()('dashboard.configurations') === true
  const confirm = useConfirm()
  const tell = useTellFailure()
  const removal = useDeleteConfiguration()

  async function askAndDelete({ id, name }: Configuration): Promise<void> {
    const message = (
      <>
        Delete <bdi>{name}</bdi>? Panels that refer to it will no longer show its content.
      </>
    )
    if (!(await confirm({ title: 'Delete configuration', message, danger: true }))) return
    await removal.mutateAsync(id).catch(tell('The configuration was not deleted'))
  }

  return (row) =>
    mayKeep
      ? [
          ...(isEdited(row) ? [{ label: 'Edit', icon: IconPencil, onSelect: () => onEdit(row) }] : []),
          { label: 'Delete', icon: IconTrash, danger: true, onSelect: () => void askAndDelete(row) },
        ]
      : []
}
