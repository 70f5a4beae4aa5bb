import type { PanelData } from '@quayside/contract/dashboards/query'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { Missing, Note } from './note.tsx'
import styles from './panels.module.css'

/** Events of a space's clusters, newest first. */
export function Events({ events, missing }: Extract<PanelData, { kind: 'Events' }>) {
  if (events.length === 0 && missing.length === 0) return <Note text="No events in this time range." />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard.
    <div className={styles.scroller} tabIndex={0}>
      <Missing clusters={missing} />
      {events.length > 0 && (
        <ul className={styles.events} aria-label="Events">
          {events.map(({ id, type, reason, message, object, at, clusterName }) => (
            <li key={`${clusterName} ${id}`}>
              <StateBadge state={type === 'Warning' ? 'warning' : 'info'} label={reason} />
              <span className={styles.message}>
                <bdi>{message}</bdi>
                <bdi className={styles.about}>
                  {object.kind} {object.name} · {clusterName}
                </bdi>
              </span>
              <RelativeTime at={at} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
