import type { MergeConflict } from '@quayside/contract/deployments/upgrade'
import { texts } from '../../texts.ts'
import styles from './merge.module.css'

/** Where in a list a side of a conflict is another one than before: what is masked looks the same on every side. */
export function PlacesNote({ conflict, side }: { conflict: MergeConflict; side: 'before' | 'yours' | 'theirs' }) {
  const places = side === 'before' ? [] : (conflict.places?.[side] ?? [])
  if (places.length === 0 || conflict[side] === undefined) return null
  return (
    <span className={styles.places}>
      <bdi>{texts.merge.changedIn}</bdi> <bdi dir="ltr">{places.join(', ')}</bdi>
    </span>
  )
}
