import type { CatalogSource } from '@quayside/contract/catalog/sources'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconWorldDownload from '@tabler/icons-react/dist/esm/icons/IconWorldDownload.mjs'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useSources } from '../../../api/catalog/sources.ts'
import { useGuard } from '../../../api/permissions/my-scopes.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { PageHeader } from '../../../ui/layout/page-header.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { NameCell } from '../../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { RunState } from './run-state.tsx'
import { SourceDialog } from './source-dialog.tsx'
import { kindWords } from './source-words.ts'
import styles from './sources.module.css'
import { useSourceActions } from './use-source-actions.tsx'

const columns: readonly Column<CatalogSource>[] = [
  {
    key: 'name',
    title: 'Name',
    sortBy: ({ name }) => name.toLowerCase(),
    cell: ({ id, name }) => (
      <NameCell>
        <Link to="/catalog/apps/sources/$sourceId" params={{ sourceId: id }}>
          {name}
        </Link>
      </NameCell>
    ),
  },
  { key: 'kind', title: 'Kind', sortBy: ({ kind }) => kindWords[kind], cell: ({ kind }) => kindWords[kind] },
  {
    key: 'address',
    title: 'Address',
    long: true,
    cell: ({ address }) => (
      <bdi dir="ltr" className={styles.address}>
        {address}
      </bdi>
    ),
  },
  {
    key: 'lastRun',
    title: 'Last synchronisation',
    sortBy: ({ lastRun }) => lastRun?.createdAt,
    cell: ({ lastRun }) => <RunState run={lastRun} />,
  },
  {
    key: 'items',
    title: 'Charts',
    align: 'end',
    sortBy: ({ itemCount }) => itemCount,
    cell: ({ itemCount }) => <bdi>{itemCount}</bdi>,
  },
  {
    key: 'next',
    title: 'Next run',
    sortBy: ({ nextRunAt }) => nextRunAt,
    cell: ({ nextRunAt }) => (nextRunAt === null ? <span>Manual</span> : <RelativeTime at={nextRunAt} />),
  },
]

const matches = ({ name, address, kind }: CatalogSource, text: string) =>
  [name, address, kindWords[kind]].some((one) => one.toLowerCase().includes(text.trim().toLowerCase()))

/** Repositories and registries from which charts come into the catalog. */
export function SourceList() {
  usePageTitle('Catalog sources')
  const [{ q = '', sort }, setUrl] = useUrlState()
  const sources = useSources()
  const navigate = useNavigate()
  const [adding, setAdding] = useState(false)
  const actions = useSourceActions()
  const rows = sources.data?.filter((source) => matches(source, q))
  const open = ({ id }: CatalogSource) =>
    void navigate({ to: '/catalog/apps/sources/$sourceId', params: { sourceId: id } })
  const add = (
    <GuardedButton
      look="primary"
      icon={IconPlus}
      {...useGuard()('catalog.sources', 'add a source of the catalog')}
      onClick={() => setAdding(true)}
    >
      Add source
    </GuardedButton>
  )
  return (
    <>
      <PageHeader
        title="Catalog sources"
        count={sources.data?.length}
        search={{ label: 'Name, address, kind', value: q, onChange: (text) => setUrl({ q: text }) }}
        actions={add}
      />
      <DataTable
        sorts="all rows are here"
        label="Catalog sources"
        columns={columns}
        rows={rows}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        rowMenu={actions.entriesOf}
        onRowClick={open}
        error={sources.error}
        onRetry={() => void sources.refetch()}
        sort={sort}
        onSort={(next) => setUrl({ sort: next })}
        empty={
          q === '' ? (
            <EmptyState
              icon={IconWorldDownload}
              title="No sources yet"
              text="Add a Helm repository or an OCI registry, and its charts come into the catalog by themselves."
              action={add}
            />
          ) : (
            <EmptyState
              title="No source matches"
              action={<Button onClick={() => setUrl({ q: '' })}>Clear search</Button>}
            />
          )
        }
      />
      {adding && (
        <SourceDialog
          source={undefined}
          onClose={() => setAdding(false)}
          onSaved={(source) => {
            setAdding(false)
            open(source)
          }}
        />
      )}
      {actions.dialogs}
    </>
  )
}
