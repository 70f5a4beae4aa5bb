import type { Webhook } from '@quayside/contract/webhooks/endpoints'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconWebhook from '@tabler/icons-react/dist/esm/icons/IconWebhook.mjs'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useWebhooks } from '../../api/webhooks.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/actions/button.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { Deliveries } from './deliveries.tsx'
import { useWebhookActions } from './use-webhook-actions.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { eventsIn, hostOf, notesOf, spaceWords, stateOf } from './webhook-words.ts'
import styles from './webhooks.module.css'

const columns: readonly Column<Webhook>[] = [
  {
    key: 'name',
    title: 'Name',
    sortBy: ({ name }) => name.toLowerCase(),
    cell: (webhook) => (
      <NameCell below={hostOf(webhook)}>
        <Link to="/cloud-automation" search={{ tab: 'webhooks', webhook: webhook.id }}>
          {webhook.name}
        </Link>
      </NameCell>
    ),
  },
  {
    key: 'state',
    title: 'State',
    long: true,
    sortBy: (webhook) => stateOf(webhook).label,
    cell: (webhook) => (
      <span className={styles.state}>
        <StateBadge {...stateOf(webhook)} />
        {notesOf(webhook).map((note) => (
          <bdi key={note} className={styles.note}>
            {note}
          </bdi>
        ))}
      </span>
    ),
  },
  {
    key: 'events',
    title: 'Events',
    long: true,
    cell: ({ events }) => <bdi>{eventsIn(events)}</bdi>,
  },
  { key: 'spaces', title: 'Where', long: true, cell: (webhook) => <bdi>{spaceWords(webhook)}</bdi> },
  {
    key: 'last',
    title: 'Last attempt',
    sortBy: ({ lastAttempt }) => lastAttempt?.at,
    cell: ({ lastAttempt }) => (lastAttempt === null ? 'Never' : <RelativeTime at={lastAttempt.at} />),
  },
]

const matches = (webhook: Webhook, text: string) =>
  [webhook.name, hostOf(webhook)].some((one) => one.toLowerCase().includes(text.trim().toLowerCase()))

/** Addresses outside of the portal that are told of what happens in the tenant. */
export function WebhookList() {
  usePageTitle('Webhooks')
  const [{ q = '', sort, webhook: chosen }, setUrl] = useUrlState()
  const webhooks = useWebhooks()
  const [adding, setAdding] = useState(false)
  const { entriesOf, dialog } = useWebhookActions()
  const shown = webhooks.data?.find(({ id }) => id === chosen)
  const add = (
    <GuardedButton
      look="primary"
      icon={IconPlus}
      {...useGuard()('webhooks.manage', 'add a webhook')}
      onClick={() => setAdding(true)}
    >
      Add webhook
    </GuardedButton>
  )
  return (
    <>
      <PageHeader
        title="Webhooks"
        count={webhooks.data?.length}
        search={{ label: 'Name, host', value: q, onChange: (text) => setUrl({ q: text }) }}
        actions={add}
      />
      <DataTable
        sorts="all rows are here"
        label="Webhooks"
        columns={columns}
        rows={webhooks.data?.filter((webhook) => matches(webhook, q))}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowMenu={entriesOf}
        onRowClick={({ id }) => setUrl({ webhook: id })}
        error={webhooks.error}
        onRetry={() => void webhooks.refetch()}
        sort={sort}
        onSort={(next) => setUrl({ sort: next })}
        empty={
          q === '' ? (
            <EmptyState
              icon={IconWebhook}
              title="No webhooks yet"
              text="Add an address that is told when actions fail and apps become unhealthy."
              action={add}
            />
          ) : (
            <EmptyState
              title="No webhook matches"
              action={<Button onClick={() => setUrl({ q: '' })}>Clear search</Button>}
            />
          )
        }
      />
      {shown !== undefined && (
        <div className={styles.below}>
          <Deliveries webhook={shown} />
        </div>
      )}
      {adding && <WebhookDialog webhook={undefined} onClose={() => setAdding(false)} />}
      {dialog}
    </>
  )
}
