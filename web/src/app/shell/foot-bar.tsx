import { useLiveState, usePortal } from '../../lib/portal.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import styles from './foot-bar.module.css'

const words = {
  connecting: 'Connecting',
  live: 'Live',
  offline: 'Offline, reconnecting',
  crowded: 'Too many pages open',
} as const

/** The build, whether the page is live, and whose it is. */
export function FootBar() {
  const { config } = usePortal()
  const live = useLiveState()
  return (
    <footer className={styles.bar}>
      <bdi>{config.build}</bdi>
      <span role="status">
        <StateBadge state={live === 'crowded' ? 'offline' : live} label={words[live]} />
      </span>
      <span className={styles.tenant}>
        <span className="ltr">
          <bdi>{config.tenant.displayName}</bdi> · realm <bdi>{config.tenant.realm}</bdi>
        </span>
      </span>
    </footer>
  )
}
