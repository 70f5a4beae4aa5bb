import type { DashboardRow } from '@quayside/contract/dashboards/endpoints'
import { Link } from '@tanstack/react-router'
import { actorName } from '../../lib/actor-name.ts'
import type { ServerColumn } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { TagList } from '../../ui/lists/tag.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { StarButton } from './star-button.tsx'

export const columns: readonly ServerColumn<DashboardRow>[] = [
  {
    key: 'displayName',
    title: 'Name',
    cell: (row) => (
      <NameCell mark={<Avatar name={row.displayName} />} sentence={row.description || undefined}>
        {row.deletedAt === null && row.scopes.length > 0 ? (
          <Link to="/dashboards/$dashboardId" params={{ dashboardId: row.id }}>
            {row.displayName}
          </Link>
        ) : (
          row.displayName
        )}
      </NameCell>
    ),
  },
  {
    key: 'starred',
    title: 'Star',
    cell: (row) => row.deletedAt === null && row.scopes.length > 0 && <StarButton dashboard={row} />,
  },
  { key: 'tags', title: 'Tags', cell: ({ tags }) => <TagList tags={tags} show={2} /> },
  { key: 'panels', title: 'Panels', align: 'end', cell: ({ panels }) => panels },
  { key: 'owner', title: 'Owner', cell: ({ owner }) => <bdi>{actorName(owner)}</bdi> },
  { key: 'updatedAt', title: 'Changed', cell: ({ updatedAt }) => <RelativeTime at={updatedAt} /> },
]
