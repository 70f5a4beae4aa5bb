import type { AuditEntry } from '@quayside/contract/audit/endpoints'
import IconFocus from '@tabler/icons-react/dist/esm/icons/IconFocus2.mjs'
import IconListDetails from '@tabler/icons-react/dist/esm/icons/IconListDetails.mjs'
import IconShieldCheck from '@tabler/icons-react/dist/esm/icons/IconShieldCheck.mjs'
import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { useState } from 'react'
import { useAudit, useAuditFile } from '../../api/audit.ts'
import { spanOptions } from '../../api/lists/timed-query.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button } from '../../ui/actions/button.tsx'
import { DownloadButton } from '../../ui/actions/download-button.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { DataTable, type ServerColumn } from '../../ui/lists/data-table.tsx'
import { FilterChip, ToggleChip } from '../../ui/lists/filter-chip.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { OpenPager } from '../../ui/lists/paging/open-pager.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { AuditDetails } from './audit-details.tsx'
import { areaWords, outcomeWords } from './audit-words.ts'

const columns: readonly ServerColumn<AuditEntry>[] = [
  {
    key: 'what',
    title: 'What',
    cell: ({ title, name, about }) => <NameCell below={name ?? about.id}>{title}</NameCell>,
  },
  { key: 'who', title: 'Who', cell: ({ who }) => <bdi>{who.username}</bdi> },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ outcome }) => (
      <StateBadge state={outcome === 'done' ? 'success' : outcome} label={outcomeWords[outcome]} />
    ),
  },
  {
    key: 'client',
    title: 'Client',
    cell: ({ client, token }) => <bdi>{token === null ? client : `Token ${token.name}`}</bdi>,
  },
  { key: 'ip', title: 'From', cell: ({ ipAddress }) => <bdi>{ipAddress}</bdi> },
  { key: 'at', title: 'When', cell: ({ at }) => <RelativeTime at={at} /> },
]

const areas = Object.entries(areaWords).map(([value, label]) => ({ value, label }))
const outcomes = Object.entries(outcomeWords).map(([value, label]) => ({ value, label }))
const nothing = { q: '', area: '', outcome: '', since: '', who: '', about: '', skip: '' }

/** Every call that changed something in the tenant, or was to: by whom, from where, on what, and how it ended. */
export function AuditLog() {
  const [{ q = '', area, outcome, since, who, about, skip = '0' }, setUrl] = useUrlState()
  const [shown, setShown] = useState<AuditEntry>()
  const list = { search: q, filters: { capability: area, outcome, who, about }, since }
  const entries = useAudit({ ...list, skip: Number(skip) || 0 })
  const file = useAuditFile()
  const narrow = (part: Record<string, string>) => setUrl({ ...part, skip: '' })
  const isNarrowed = [area, outcome, since, who, about].some((one) => one !== undefined) || q !== '' || skip !== '0'
  const rows = entries.data?.data
  return (
    <>
      <PageHeader
        title="Audit log"
        search={{ label: 'Person, name, id', value: q, onChange: (text) => narrow({ q: text }) }}
        filters={<Filters rows={rows ?? []} onChange={narrow} />}
        actions={
          <>
            <DownloadButton name="audit.csv" load={() => file(list, 'csv')}>
              Export CSV
            </DownloadButton>
            <DownloadButton name="audit.ndjson" load={() => file(list, 'ndjson')}>
              Export NDJSON
            </DownloadButton>
          </>
        }
      />
      <DataTable
        sorts="the server"
        label="Audit log"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowName={({ title, at }) => `${title} ${at}`}
        rowMenu={(entry) => [
          { label: 'Details', icon: IconListDetails, onSelect: () => setShown(entry) },
          { label: 'Only this person', icon: IconUser, onSelect: () => narrow({ who: entry.who.id }) },
          ...(entry.about.id === undefined
            ? []
            : [
                {
                  ...{ label: 'Only this thing', icon: IconFocus },
                  onSelect: () => narrow({ about: entry.about.id ?? '' }),
                },
              ]),
        ]}
        onRowClick={setShown}
        error={entries.error}
        onRetry={() => void entries.refetch()}
        empty={
          isNarrowed ? (
            <EmptyState title="No entry matches" action={<Button onClick={() => setUrl(nothing)}>Show all</Button>} />
          ) : (
            <EmptyState
              icon={IconShieldCheck}
              title="Nothing was changed yet"
              text="Whatever anybody changes from now on is listed here, with what was refused."
            />
          )
        }
      />
      <OpenPager page={entries.data?.page} count={rows?.length ?? 0} hasMore={entries.data?.next != null} />
      {shown !== undefined && <AuditDetails entry={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

interface FiltersProps {
  /** Entries that are shown, which know names. */
  rows: readonly AuditEntry[]
  onChange: (part: Record<string, string>) => void
}

function Filters({ rows, onChange }: FiltersProps) {
  const [{ area, outcome, since, who, about }] = useUrlState()
  const person = rows.find((one) => one.who.id === who)?.who.username ?? who
  const thing = rows.find((one) => one.about.id === about && one.name !== null)?.name ?? about
  const chips = [
    { key: 'area', label: 'Area', value: area, options: areas },
    { key: 'outcome', label: 'Outcome', value: outcome, options: outcomes },
    { key: 'since', label: 'When', value: since, options: spanOptions },
  ]
  return (
    <>
      {chips.map(({ key, ...chip }) => (
        <FilterChip key={key} {...chip} onChange={(next) => onChange({ [key]: next ?? '' })} />
      ))}
      {who !== undefined && (
        <ToggleChip label={`Only ${person}`} icon={IconUser} active onToggle={() => onChange({ who: '' })} />
      )}
      {about !== undefined && (
        <ToggleChip label={`Only ${thing}`} icon={IconFocus} active onToggle={() => onChange({ about: '' })} />
      )}
    </>
  )
}
