import IconCloudOff from '@tabler/icons-react/dist/esm/icons/IconCloudOff.mjs'
import { useEffect, useState } from 'react'
import { useLiveState } from '../../lib/portal.tsx'
import styles from './offline-note.module.css'

/** A connection that is made anew at once is nobody's concern. */
const quietMs = 1500

const crowded = 'You have too many pages of the portal open. Close some of them.'

/** Says that what is on the page may be old: this device has no network, or the portal does not answer. */
export function OfflineNote() {
  const live = useLiveState()
  const isCutOff = live === 'offline' || live === 'crowded'
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    if (!isCutOff) return setLate(false)
    const timer = setTimeout(() => setLate(true), navigator.onLine ? quietMs : 0)
    return () => clearTimeout(timer)
  }, [isCutOff])
  if (!isCutOff || !isLate) return null
  return (
    <p role="alert" className={styles.note}>
      <IconCloudOff size={16} stroke={1.75} aria-hidden />
      <bdi>
        {live === 'crowded' ? crowded : navigator.onLine ? 'Can’t reach the portal. Retrying…' : 'You are offline.'}{' '}
        This page shows what was last known, and is read again as soon as there is a connection.
      </bdi>
    </p>
  )
}
