import type { CatalogSource, SourceRun, SourceRunLine } from '@quayside/contract/catalog/sources'
import { Link } from '@tanstack/react-router'
import { useSourceRun, useSourceRuns } from '../../../api/catalog/sources.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { NameCell } from '../../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { outcomeWords, stateWords } from './source-words.ts'
import styles from './sources.module.css'

/** The last runs of a source; one that is chosen is shown with all that it did. */
export function SourceRuns({ source }: { source: CatalogSource }) {
  const [{ run: chosen }, setUrl] = useUrlState()
  const runs = useSourceRuns(source.id)
  const shown = runs.data?.find(({ id }) => id === chosen) ?? runs.data?.[0]
  const columns: readonly Column<SourceRun>[] = [
    {
      key: 'at',
      title: 'When',
      cell: ({ id, createdAt }) => (
        <Button look="quiet" small aria-pressed={id === shown?.id} onClick={() => setUrl({ run: id })}>
          <RelativeTime at={createdAt} />
        </Button>
      ),
    },
    { key: 'state', title: 'Outcome', cell: ({ state }) => <StateBadge {...stateWords[state]} /> },
    { key: 'by', title: 'Started by', cell: ({ askedBy }) => <bdi>{askedBy ?? 'the schedule'}</bdi> },
    { key: 'message', title: 'What it did', long: true, cell: ({ message }) => <bdi>{message}</bdi> },
  ]
  return (
    <>
      <Panel title="Runs" flush>
        <DataTable
          sorts="all rows are here"
          label="Runs"
          columns={columns}
          rows={runs.data}
          rowKey={({ id }) => id}
          error={runs.error}
          onRetry={() => void runs.refetch()}
          empty={<EmptyState title="Not synchronised yet" />}
        />
      </Panel>
      {shown !== undefined && <RunReport sourceId={source.id} run={shown} />}
    </>
  )
}

const lineColumns: readonly Column<SourceRunLine>[] = [
  {
    key: 'chart',
    title: 'Chart',
    sortBy: ({ chart }) => chart,
    cell: ({ chart, itemId }) => (
      <NameCell>
        {itemId === null ? (
          chart
        ) : (
          <Link to="/catalog/apps/$itemId" params={{ itemId }}>
            {chart}
          </Link>
        )}
      </NameCell>
    ),
  },
  { key: 'version', title: 'Version', cell: ({ version }) => <bdi className="mono">{version || '–'}</bdi> },
  {
    key: 'outcome',
    title: 'Outcome',
    sortBy: ({ outcome }) => outcome,
    cell: ({ outcome }) => <StateBadge {...outcomeWords[outcome]} />,
  },
  { key: 'message', title: 'Why', long: true, cell: ({ message }) => <bdi>{message}</bdi> },
]

/** The report of one run: what it brought, and what it left out and why. */
function RunReport({ sourceId, run }: { sourceId: string; run: SourceRun }) {
  const report = useSourceRun(sourceId, run.id)
  return (
    <Panel title="Report" aside={<RelativeTime at={run.createdAt} />} flush>
      {run.message !== '' && (
        <p className={styles.report}>
          <bdi>{run.message}</bdi>
        </p>
      )}
      {report.error !== null ? (
        <ErrorPanel error={report.error} name="Report" onRetry={() => void report.refetch()} />
      ) : report.data === undefined ? (
        <Loading />
      ) : (
        <DataTable
          sorts="all rows are here"
          label="Report"
          columns={lineColumns}
          rows={report.data.lines}
          rowKey={({ id }) => id}
          empty={<EmptyState title="Nothing was new" />}
        />
      )}
    </Panel>
  )
}
