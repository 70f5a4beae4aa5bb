import type { AppLink } from '@quayside/contract/app-links/endpoints'
import { appLinkSorts } from '@quayside/contract/app-links/sorts'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { useAppLinks } from '../../api/app-links.ts'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/actions/button.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import type { MenuEntry } from '../../ui/actions/row-menu.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { FilterChip } from '../../ui/lists/filter-chip.tsx'
import { PagedTable } from '../../ui/lists/paging/paged-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { AppLinkDialog } from './app-link-dialog.tsx'
import { columns } from './columns.tsx'
import { useRemoveAppLink } from './use-remove-app-link.tsx'

/** A dialog that is open: for a new link, or for one that is there. */
type Editing = { link?: AppLink } | undefined

/** Every app link of the tenant. */
export function AppLinkList() {
  usePageTitle('App links')
  const [{ q = '', sort, skip = '0', tag }, setUrl] = useUrlState()
  const links = useAppLinks({ q, tag }, sort, Number(skip) || 0)
  const rows = links.data?.data
  const [editing, setEditing] = useState<Editing>()
  const set = (change: Parameters<typeof setUrl>[0]) => setUrl({ skip: '', ...change })
  const menu = useLinkMenu((link) => setEditing({ link }))
  const add = (
    <GuardedButton
      look="primary"
      icon={IconPlus}
      {...useGuard()('app-link.create', 'make an app link')}
      onClick={() => setEditing({})}
    >
      New app link
    </GuardedButton>
  )
  return (
    <>
      <PageHeader
        title="App links"
        count={links.data?.page.total}
        search={{ label: 'Name, address, description, tag', value: q, onChange: (text) => set({ q: text }) }}
        filters={<TagFilter value={tag} shown={rows ?? []} onChange={(value) => set({ tag: value })} />}
        actions={add}
      />
      <PagedTable
        sortable={appLinkSorts}
        label="App links"
        columns={columns}
        list={links}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowMenu={menu}
        rowsName="app links"
        empty={<NoLinks isFiltered={q !== '' || tag !== undefined} onChange={set} add={add} />}
      />
      {editing !== undefined && (
        <AppLinkDialog
          link={rows?.find(({ id }) => id === editing.link?.id) ?? editing.link}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}

interface NoLinksProps {
  isFiltered: boolean
  onChange: (change: { q?: string; tag?: string }) => void
  add: React.ReactNode
}

function NoLinks({ isFiltered, onChange, add }: NoLinksProps) {
  if (isFiltered)
    return (
      <EmptyState
        title="No app link matches"
        action={<Button onClick={() => onChange({ q: '', tag: '' })}>Clear search and filters</Button>}
      />
    )
  return (
    <EmptyState
      icon={IconLink}
      title="No app links yet"
      text="A link leads to what your teams use beside their apps: a wiki, a monitoring page, a shop."
      action={add}
    />
  )
}

interface TagFilterProps {
  value: string | undefined
  /** Links on the page, whose tags are offered. */
  shown: readonly AppLink[]
  onChange: (tag: string | undefined) => void
}

function TagFilter({ value, shown, onChange }: TagFilterProps) {
  const tags = [...new Set([...shown.flatMap((link) => link.tags), ...(value ? [value] : [])])].sort()
  return (
    <FilterChip
      label="Tag"
      value={value}
      options={tags.map((tag) => ({ value: tag, label: tag }))}
      onChange={onChange}
    />
  )
}

function useLinkMenu(onEdit: (link: AppLink) => void): (link: AppLink) => MenuEntry[] {
  const guard = useGuard()
  const remove = useRemoveAppLink()
  return (link) => [
    {
      label: 'Edit',
      icon: IconPencil,
      onSelect: () => onEdit(link),
      right: guard('app-link.edit', `edit ${link.name}`),
    },
    {
      label: 'Delete',
      icon: IconTrash,
      danger: true,
      onSelect: () => void remove(link),
      right: guard('app-link.delete', `delete ${link.name}`),
    },
  ]
}
