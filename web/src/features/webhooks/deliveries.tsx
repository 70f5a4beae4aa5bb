import type { Webhook, WebhookDelivery } from '@quayside/contract/webhooks/endpoints'
import { webhookLimits } from '@quayside/contract/webhooks/rules'
import { useDeliveries } from '../../api/webhooks.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { deliveryWords, typeWord } from './webhook-words.ts'

const columns: readonly Column<WebhookDelivery>[] = [
  { key: 'what', title: 'What', cell: ({ type, about }) => <NameCell below={about}>{typeWord(type)}</NameCell> },
  { key: 'at', title: 'When', sortBy: ({ at }) => at, cell: ({ at }) => <RelativeTime at={at} /> },
  {
    ...{ key: 'state', title: 'Outcome', sortBy: ({ state }: WebhookDelivery) => state },
    cell: ({ state }) => <StateBadge {...deliveryWords[state]} />,
  },
  { key: 'attempts', title: 'Attempts', align: 'end', cell: ({ attempts }) => <bdi>{attempts}</bdi> },
  {
    ...{ key: 'next', title: 'Next attempt' },
    cell: ({ nextAttemptAt }) => (nextAttemptAt === null ? '–' : <RelativeTime at={nextAttemptAt} />),
  },
  { key: 'status', title: 'Status', align: 'end', cell: ({ status }) => <bdi>{status ?? '–'}</bdi> },
  { key: 'says', title: 'Answer', long: true, cell: ({ says }) => <bdi>{says}</bdi> },
]

/** The newest deliveries of a webhook, with how its receiver answered. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const deliveries = useDeliveries(webhook.id)
  return (
    <Panel title={`Deliveries to ${webhook.name}`} flush>
      <DataTable
        sorts="all rows are here"
        label="Deliveries"
        columns={columns}
        rows={deliveries.data}
        rowKey={({ id }) => id}
        error={deliveries.error}
        onRetry={() => void deliveries.refetch()}
        empty={
          <EmptyState
            title="Nothing sent yet"
            text={`Up to ${webhookLimits.shown} deliveries from the last ${webhookLimits.keptDays} days are listed here.`}
          />
        }
      />
    </Panel>
  )
}
