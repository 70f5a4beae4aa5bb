import type { ClusterEvent } from '@quayside/contract/cluster'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { StateBadge } from '../../../ui/state-badge.tsx'
import { useAppEvents } from '../use-apps.ts'

const columns: readonly Column<ClusterEvent>[] = [
  {
    key: 'reason',
    title: 'Reason',
    sortBy: ({ reason }) => reason,
    cell: ({ type, reason }) => <StateBadge state={type === 'Warning' ? 'warning' : 'ok'} label={reason} />,
  },
  {
    key: 'object',
    title: 'Object',
    cell: ({ object }) => <code className="ltr">{`${object.kind.toLowerCase()}/${object.name}`}</code>,
  },
  {
    key: 'message',
    title: 'Message',
    cell: ({ message, count }) => <bdi>{count > 1 ? `${message} (${count}×)` : message}</bdi>,
  },
  { key: 'at', title: 'When', sortBy: ({ at }) => at, cell: ({ at }) => <RelativeTime at={at} /> },
]

export function AppEvents({ appId }: { appId: string }) {
  const events = useAppEvents(appId)
  return (
    <Panel title="Recent events" flush>
      <DataTable
        label="Recent events"
        columns={columns}
        rows={events.data?.data.slice(0, 50)}
        rowKey={({ id }) => id}
        error={events.error}
        onRetry={() => void events.refetch()}
        empty={<EmptyState title="No events" text="The cluster keeps events for about an hour." />}
      />
    </Panel>
  )
}
