import type { Collection, Marker, Usage } from '@quayside/contract/metrics/endpoints'
import IconChartBar from '@tabler/icons-react/dist/esm/icons/IconChartBar.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ranges, refreshes, secondsOf, withShown } from '../../lib/durations.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { IconButton } from '../../ui/actions/button.tsx'
import { FilterChip } from '../../ui/lists/filter-chip.tsx'
import { AlertNote } from '../../ui/states/alert-note.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import styles from './metrics.module.css'
import { UsageCharts } from './usage-charts.tsx'

const hour = 3600
const usualRefresh = 30

/** Range and refresh as the address says. */
export function useShownTime() {
  const [{ range, refresh }] = useUrlState()
  return { rangeSeconds: secondsOf(range, hour), refreshSeconds: secondsOf(refresh, usualRefresh) }
}

interface Props<T extends Usage> {
  /** The place that the figures are about. */
  name: string
  usage: UseQueryResult<T>
  markers?: readonly Marker[] | undefined
  /** Stands below the charts. */
  children: (usage: T) => ReactNode
}

/** CPU and memory of a place over time, and what there is to say of how the figures arrive. */
export function UsageView<T extends Usage>({ name, usage, markers, children }: Props<T>) {
  const [{ figures }] = useUrlState()
  const { data, error } = usage
  return (
    <div className={styles.stack}>
      <Tools onRead={() => void usage.refetch()} />
      {error !== null && <ErrorPanel error={error} name="Metrics" onRetry={() => void usage.refetch()} />}
      {data === undefined && error === null && <Loading />}
      {data !== undefined && (
        <>
          {noticesOf(data.collections).map((one) => (
            <CollectionNotice key={one.clusterId} collection={one} isEmpty={isEmpty(data)} />
          ))}
          {isEmpty(data) && data.collections.every(({ state }) => state === 'current') && (
            <EmptyState title="No data in this time range" text={`${name} had nothing running in this period.`} />
          )}
          {!isEmpty(data) && (
            <UsageCharts name={name} usage={data} markers={markers ?? []} asTable={figures === 'table'} />
          )}
          {children(data)}
        </>
      )}
    </div>
  )
}

/** Metrics that are off are so for every cluster, and said once. */
function noticesOf(collections: readonly Collection[]): readonly Collection[] {
  const isOff = collections.length > 0 && collections.every(({ state }) => state === 'off')
  return isOff ? collections.slice(0, 1) : collections
}

const isEmpty = ({ cpu, memory }: Usage) => cpu.length === 0 && memory.length === 0

function Tools({ onRead }: { onRead: () => void }) {
  const [{ range = '1h', refresh = '30s', figures }, setUrl] = useUrlState()
  const isTable = figures === 'table'
  return (
    <div className={styles.tools}>
      <FilterChip
        label="Time"
        any={false}
        value={range}
        options={withShown(ranges, range)}
        onChange={(value) => setUrl({ range: value === '1h' ? '' : value })}
      />
      <FilterChip
        label="Refresh"
        any={false}
        value={refresh}
        options={withShown(refreshes, refresh)}
        onChange={(value) => setUrl({ refresh: value === '30s' ? '' : value })}
      />
      <IconButton icon={IconRefresh} label="Refresh now" onClick={onRead} />
      <IconButton
        icon={isTable ? IconChartBar : IconTable}
        label={isTable ? 'Show charts' : 'Show tables'}
        onClick={() => setUrl({ figures: isTable ? '' : 'table' })}
      />
    </div>
  )
}

/** Says why figures of a cluster are missing or old. */
function CollectionNotice({ collection, isEmpty }: { collection: Collection; isEmpty: boolean }) {
  const { state, clusterName, at, message } = collection
  if (state === 'current')
    return message === null ? null : (
      <AlertNote tone="warn" title={`Not all figures of ${clusterName} arrive`} action={null}>
        <p>
          <bdi>{message}</bdi>
        </p>
      </AlertNote>
    )
  if (state === 'off') return <EmptyState title="Metrics are off" text={message} />
  if (state === 'waiting' && isEmpty) return <EmptyState title={`No figures of ${clusterName} yet`} text={message} />
  return (
    <AlertNote tone="warn" title={`No new figures of ${clusterName}`} action={null}>
      <p>
        <bdi>{message}</bdi> The last ones arrived <RelativeTime at={at} />.
      </p>
    </AlertNote>
  )
}
