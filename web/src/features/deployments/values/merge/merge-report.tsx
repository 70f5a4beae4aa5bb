import type { ValuesMerge } from '@quayside/contract/deployments/upgrade'
import { texts } from '../../texts.ts'
import styles from './merge.module.css'
import { reportOf } from './merge-choice.ts'

/** The outcome of merging the person's values into the new chart's. */
export function MergeReport({ merge }: { merge: ValuesMerge }) {
  const parts = reportOf(merge)
  if (parts.length === 0)
    return (
      <p className={styles.reason}>
        <bdi>{texts.merge.nothing}</bdi>
      </p>
    )
  return (
    <ul className={styles.report} aria-label={texts.merge.heading}>
      {parts.map(({ words, paths }) => (
        <li key={words}>
          <bdi>{words}</bdi>
          <bdi className={styles.paths} dir="ltr">
            {paths.slice(0, 12).join(', ')}
            {paths.length > 12 && ' …'}
          </bdi>
        </li>
      ))}
    </ul>
  )
}
