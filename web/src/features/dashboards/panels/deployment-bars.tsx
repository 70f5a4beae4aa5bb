import type { PanelData } from '@quayside/contract/dashboards/query'
import { FigureTable } from './figure-table.tsx'
import { Note } from './note.tsx'
import styles from './panels.module.css'

interface Props {
  data: Extract<PanelData, { kind: 'Deployments' }>
  asTable: boolean
}

const kinds = [
  { key: 'succeeded', word: 'Succeeded', look: 'ok' },
  { key: 'failed', word: 'Failed', look: 'bad' },
  { key: 'running', word: 'Running', look: 'busy' },
] as const

/** Actions over time as bars by how they ended. */
export function DeploymentBars({ data: { buckets, bucketSeconds }, asTable }: Props) {
  // A time of day alone would be the same at both ends.
  const withDay = bucketSeconds * buckets.length >= 86_400
  const format = new Intl.DateTimeFormat('en-GB', {
    ...(withDay ? { day: 'numeric', month: 'short' } : {}),
    ...(bucketSeconds < 86_400 ? { hour: '2-digit', minute: '2-digit' } : {}),
  })
  const time = (at: string) => format.format(new Date(at))
  const totals = kinds.map((kind) => ({ ...kind, count: buckets.reduce((sum, bucket) => sum + bucket[kind.key], 0) }))
  const all = buckets.map(({ succeeded, failed, running }) => succeeded + failed + running)
  const most = Math.max(1, ...all)
  if (all.every((count) => count === 0)) return <Note text="No deployments in this time range." />
  const rows = buckets.filter((_, at) => (all[at] ?? 0) > 0)
  if (asTable)
    return (
      <FigureTable
        label="Deployments over time"
        titles={['From', ...kinds.map(({ word }) => word)]}
        rows={rows.map((bucket) => [time(bucket.at), ...kinds.map(({ key }) => bucket[key])])}
      />
    )
  return (
    <div className={styles.chart}>
      <div
        className={styles.bars}
        dir="ltr"
        role="img"
        aria-label={`Deployments over time: ${totals.map(({ word, count }) => `${count} ${word.toLowerCase()}`).join(', ')}`}
      >
        {buckets.map((bucket) => (
          <span
            key={bucket.at}
            className={styles.column}
            title={`${time(bucket.at)}: ${kinds.map(({ key, word }) => `${bucket[key]} ${word.toLowerCase()}`).join(', ')}`}
          >
            {kinds.map(({ key, look }) => (
              <span key={key} className={styles[look]} style={{ blockSize: `${(bucket[key] / most) * 100}%` }} />
            ))}
          </span>
        ))}
      </div>
      <div className={styles.axis} dir="ltr" aria-hidden="true">
        <bdi>{time(buckets[0]?.at ?? new Date(0).toISOString())}</bdi>
        <bdi>highest bar: {most}</bdi>
        <bdi>{time(buckets.at(-1)?.at ?? new Date(0).toISOString())}</bdi>
      </div>
      <ul className={styles.legend}>
        {totals.map(({ key, word, look, count }) => (
          <li key={key}>
            <span className={`${styles.key} ${styles[look]}`} aria-hidden="true" /> {word}{' '}
            <bdi className={styles.count}>{count}</bdi>
          </li>
        ))}
      </ul>
    </div>
  )
}
