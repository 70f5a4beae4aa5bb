import type { Configuration } from '@quayside/contract/dashboards/library'
import { actorName } from '../../../lib/actor-name.ts'
import type { ServerColumn } from '../../../ui/lists/data-table.tsx'
import { NameCell } from '../../../ui/lists/name-cell.tsx'
import { Avatar } from '../../../ui/marks/avatar.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { configurationKinds } from './configuration-kinds.ts'

export const columns: readonly ServerColumn<Configuration>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => <NameCell mark={<Avatar name={name} />}>{name}</NameCell> },
  { key: 'kind', title: 'Kind', cell: ({ kind }) => configurationKinds[kind] },
  {
    key: 'spaceId',
    title: 'Seen by',
    cell: ({ spaceId }) => (spaceId === null ? 'Everyone' : 'People who see its space'),
  },
  { key: 'updatedBy', title: 'Changed by', cell: ({ updatedBy }) => <bdi>{actorName(updatedBy)}</bdi> },
  { key: 'updatedAt', title: 'Changed', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
]
