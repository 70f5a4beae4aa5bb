import { type CsvColumn, csvOf } from '@quayside/contract/http/csv'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { spaceSorts } from '@quayside/contract/spaces/sorts'
import IconBoxMultiple from '@tabler/icons-react/dist/esm/icons/IconBoxMultiple.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { inSpace, useGuard } from '../../api/permissions/my-scopes.ts'
import { useWhy } from '../../api/permissions/why.tsx'
import { usePinRow } from '../../api/pins.tsx'
import { useAllSpaces, useSpaces, usualSpaceSort } from '../../api/spaces.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/actions/button.tsx'
import { DownloadButton } from '../../ui/actions/download-button.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import type { MenuEntry } from '../../ui/actions/row-menu.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'
import type { ServerColumn } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { PagedTable } from '../../ui/lists/paging/paged-table.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { type FirstMembersField, SpaceDialog } from './space-dialog.tsx'
import { useRemoveSpace } from './use-remove-space.tsx'

const columns: readonly ServerColumn<Space>[] = [
  {
    key: 'displayName',
    title: 'Name',
    cell: (space) => (
      <NameCell mark={<Avatar name={space.displayName} />} below={space.id}>
        <Link to="/spaces/$spaceId/overview" params={{ spaceId: space.id }}>
          {space.displayName}
        </Link>
      </NameCell>
    ),
  },
  {
    key: 'name',
    title: 'Namespace',
    cell: (space) => <code>{space.namespace}</code>,
  },
  {
    key: 'apps',
    title: 'Apps',
    align: 'end',
    cell: (space) => <bdi>{space.apps.length}</bdi>,
  },
  {
    key: 'clusters',
    title: 'Clusters',
    cell: (space) =>
      space.clusters.length === 0 ? (
        'None'
      ) : (
        <bdi>{space.clusters.map(({ displayName }) => displayName).join(', ')}</bdi>
      ),
  },
  {
    key: 'createdAt',
    title: 'Created',
    cell: (space) => <RelativeTime at={space.createdAt} />,
  },
]

const csvColumns: readonly CsvColumn<Space>[] = [
  { title: 'Id', text: ({ id }) => id },
  { title: 'Name', text: ({ displayName }) => displayName },
  { title: 'Namespace', text: ({ namespace }) => namespace },
  { title: 'Description', text: ({ description }) => description },
  { title: 'Apps', text: ({ apps }) => apps.length },
  { title: 'Clusters', text: ({ clusters }) => clusters.map(({ displayName }) => displayName).join(', ') },
  { title: 'Created', text: ({ createdAt }) => createdAt },
]

/** A dialog that is open: for a new space, or for one that is there. */
type Editing = { space?: Space } | undefined

interface Props {
  /** The content of the tab of roles. */
  roles: ReactNode
  /** The content of the tab of requests. */
  requests: ReactNode
  firstMembers: FirstMembersField
}

export function SpacesPage({ roles, requests, firstMembers }: Props) {
  usePageTitle('Spaces')
  return (
    <UrlTabs
      label="Spaces, their roles and requests"
      tabs={[
        { value: 'spaces', title: 'Spaces', panel: <SpaceList firstMembers={firstMembers} /> },
        { value: 'roles', title: 'Roles', heading: 'Roles in spaces', panel: roles },
        { value: 'requests', title: 'Requests', heading: 'Requests for access', panel: requests },
      ]}
    />
  )
}

function SpaceList({ firstMembers }: Pick<Props, 'firstMembers'>) {
  const [{ q = '', sort = usualSpaceSort, skip = '0' }, setUrl] = useUrlState()
  const [editing, setEditing] = useState<Editing>()
  const navigate = useNavigate()
  const spaces = useSpaces(q, sort, Number(skip))
  const total = spaces.data?.page.total
  const openSpace = (space: Space) => void navigate({ to: '/spaces/$spaceId/overview', params: { spaceId: space.id } })
  const menu = useSpaceMenu({ onOpen: openSpace, onEdit: (space) => setEditing({ space }) })
  const create = <NewSpace onClick={() => setEditing({})} />
  return (
    <>
      <PageHeader
        title="Spaces"
        count={total}
        actions={
          <>
            <ExportSpaces search={q} sort={sort} />
            {create}
          </>
        }
        search={{ label: 'Name, id, namespace', value: q, onChange: (text) => setUrl({ q: text, skip: '' }) }}
      />
      <PagedTable
        sortable={spaceSorts}
        usualSort={usualSpaceSort}
        label="Spaces"
        columns={columns}
        list={spaces}
        rowKey={(space) => space.id}
        rowName={(space) => space.displayName}
        onRowClick={openSpace}
        rowMenu={menu}
        rowsName="spaces"
        empty={
          q === '' ? (
            <EmptyState
              icon={IconBoxMultiple}
              title="No spaces yet"
              text="A space holds the apps of one team or one purpose and decides which clusters they may run on."
              action={create}
            />
          ) : (
            <EmptyState
              title="No space matches"
              action={<Button onClick={() => setUrl({ q: '' })}>Clear search</Button>}
            />
          )
        }
      />
      {editing !== undefined && (
        <SpaceDialog
          space={editing.space}
          firstMembers={firstMembers}
          onClose={() => setEditing(undefined)}
          onSaved={() => setEditing(undefined)}
        />
      )}
    </>
  )
}

function NewSpace({ onClick }: { onClick: () => void }) {
  return (
    <GuardedButton look="primary" icon={IconPlus} {...useGuard()('space.create', 'make a space')} onClick={onClick}>
      New space
    </GuardedButton>
  )
}

/** The spaces that match, as a file. */
function ExportSpaces({ search, sort }: { search: string; sort: string }) {
  const all = useAllSpaces(search, sort)
  return (
    <DownloadButton name="spaces.csv" load={async () => csvOf(csvColumns, await all())}>
      Export CSV
    </DownloadButton>
  )
}

interface MenuWays {
  onOpen: (space: Space) => void
  onEdit: (space: Space) => void
}

function useSpaceMenu({ onOpen, onEdit }: MenuWays): (space: Space) => MenuEntry[] {
  const remove = useRemoveSpace()
  const pin = usePinRow('spaces')
  const guard = useGuard()
  const { open } = useWhy()
  return (space) => [
    { label: 'Open', icon: IconExternalLink, onSelect: () => onOpen(space) },
    pin({ id: space.id, name: space.displayName }),
    {
      label: 'Edit',
      icon: IconPencil,
      onSelect: () => onEdit(space),
      right: guard('space.edit', `edit ${space.displayName}`, inSpace(space.id)),
    },
    {
      label: 'Delete',
      icon: IconTrash,
      danger: true,
      onSelect: () => void remove(space),
      right: guard('space.delete', `delete ${space.displayName}`, inSpace(space.id)),
    },
    {
      label: 'What can I do here',
      icon: IconHelp,
      onSelect: () =>
        open({ ask: 'all', place: 'space', id: space.id, name: space.displayName, page: 'spaces/$spaceId/overview' }),
    },
  ]
}
