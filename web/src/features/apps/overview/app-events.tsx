import type { ClusterEvent } from '@quayside/contract/clusters/endpoints'
import { useState } from 'react'
import { useAppEvents } from '../../../api/workloads.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'

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
    long: true,
    cell: ({ message, count }) => <bdi>{count > 1 ? `${message} (${count}×)` : message}</bdi>,
  },
  { key: 'at', title: 'When', sortBy: ({ at }) => at, cell: ({ at }) => <RelativeTime at={at} /> },
]

const few = 8

export function AppEvents({ appId }: { appId: string }) {
  const events = useAppEvents(appId)
  const [all, setAll] = useState(false)
  const count = events.data?.data.length ?? 0
  return (
    <Panel
      title="Recent events"
      flush
      aside={
        count > few && (
          <Button small look="quiet" onClick={() => setAll(!all)}>
            {all ? `Show the newest ${few}` : `Show all ${count}`}
          </Button>
        )
      }
    >
      <DataTable
        sorts="all rows are here"
        label="Recent events"
        columns={columns}
        rows={events.data?.data.slice(0, all ? undefined : few)}
        rowKey={({ id }) => id}
        error={events.error}
        onRetry={() => void events.refetch()}
        empty={<EmptyState title="No events" text="The cluster keeps events for about an hour." />}
      />
    </Panel>
  )
}
