import { Modal } from '@mantine/core'
import type { OutboxMail } from '@quayside/contract/mail/endpoints'
import { type MailStatus, mailStatuses } from '@quayside/contract/mail/limits'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import { useState } from 'react'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useMail, useMailSettings, useOutbox, useSendMail } from '../../api/realms/mail.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { CopyField } from '../../ui/actions/copy-field.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import type { ServerColumn } from '../../ui/lists/data-table.tsx'
import { FilterChip } from '../../ui/lists/filter-chip.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { PagedTable } from '../../ui/lists/paging/paged-table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './settings.module.css'

const looks: Readonly<Record<MailStatus, { state: string; label: string }>> = {
  kept: { state: 'kept', label: 'Kept' },
  pending: { state: 'progressing', label: 'Being sent' },
  sent: { state: 'healthy', label: 'Sent' },
  failed: { state: 'failed', label: 'Not sent' },
}
const isStatus = (text: string | undefined): text is MailStatus => mailStatuses.some((one) => one === text)

const columns: readonly ServerColumn<OutboxMail>[] = [
  { key: 'to', title: 'To', cell: ({ to, subject }) => <NameCell below={subject}>{to}</NameCell> },
  {
    key: 'status',
    title: 'State',
    cell: ({ status, reason }) => (
      <NameCell below={reason ?? undefined}>
        <StateBadge {...looks[status]} />
      </NameCell>
    ),
  },
  { key: 'createdAt', title: 'Made', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  {
    key: 'link',
    title: 'Link ends',
    cell: ({ expiresAt, isReadable }) => (isReadable ? <RelativeTime at={expiresAt} /> : '–'),
  },
]

/** Mails that the identity server has sent, is sending, or keeps for an administrator. */
export function Outbox() {
  const [{ q = '', status, skip = '0' }, setUrl] = useUrlState()
  const wanted = isStatus(status) ? status : undefined
  const mails = useOutbox(q, wanted, Number(skip))
  const hasOutbox = useMailSettings().data?.hasOutbox !== false
  const send = useSendMail()
  const guard = useGuard()
  const [open, setOpen] = useState<OutboxMail>()
  if (!hasOutbox)
    return (
      <Panel title="Outbox">
        <p className={styles.about}>
          <bdi>Keycloak keeps no mails: what it sends is not listed here, and its own log says what failed.</bdi>
        </p>
      </Panel>
    )
  return (
    <Panel title="Outbox" flush>
      <div className={styles.filters}>
        <SearchField label="Address" value={q} onChange={(text) => setUrl({ q: text, skip: '' })} />
        <FilterChip
          label="State"
          value={wanted}
          options={mailStatuses.map((value) => ({ value, label: looks[value].label }))}
          onChange={(value) => setUrl({ status: value ?? '', skip: '' })}
        />
      </div>
      {send.error !== null && <ErrorPanel error={send.error} name="Send" />}
      <PagedTable
        label="Outbox"
        columns={columns}
        list={mails}
        rowKey={({ id }) => id}
        rowName={({ to }) => to}
        rowMenu={(mail) => [
          {
            label: 'Read',
            onSelect: () => setOpen(mail),
            right: guard('mail.read', 'read this mail'),
            disabled: !mail.isReadable,
          },
          {
            label: 'Send',
            onSelect: () => send.mutate(mail.id),
            right: guard('mail.edit', 'send this mail'),
            disabled: !mail.isReadable || mail.status === 'pending',
          },
        ]}
        rowsName="mails"
        empty={<EmptyState icon={IconMail} title="No mails" text="Mails of the last 30 days are listed here." />}
      />
      {open && <MailDialog mail={open} onClose={() => setOpen(undefined)} />}
    </Panel>
  )
}

/** The text of a mail with its link, for who could set the password of the person. */
function MailDialog({ mail, onClose }: { mail: OutboxMail; onClose: () => void }) {
  const read = useMail(mail.id)
  return (
    <Modal opened onClose={onClose} title={mail.subject} size={560}>
      <div className={styles.form}>
        <p className={styles.about}>
          <bdi>
            To <bdi>{mail.to}</bdi>. Whoever has the link can use it: give it to this person alone.
          </bdi>
        </p>
        {read.error !== null ? (
          <ErrorPanel error={read.error} name="Mail" onRetry={() => void read.refetch()} />
        ) : read.data === undefined ? (
          <Loading />
        ) : (
          <>
            <pre className={styles.letter}>{read.data.text ?? 'Its text is gone.'}</pre>
            {read.data.link !== null && <CopyField label="Link" value={read.data.link} />}
          </>
        )}
      </div>
    </Modal>
  )
}
