import { classNames } from '../marks/class-names.ts'
import styles from './progress-bar.module.css'

interface Props {
  label: string
  /** 0 to 100; left out, the end is not known. */
  percent?: number
  look?: 'running' | 'success' | 'failed'
}

/** Running without an end in sight, at a percentage, or full in green or red. */
export function ProgressBar({ label, percent, look = 'running' }: Props) {
  const full = look === 'running' ? percent : 100
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={full}
      aria-valuemin={0}
      aria-valuemax={100}
      className={classNames(styles.track, styles[look], full === undefined && styles.endless)}
    >
      <div className={styles.fill} style={full === undefined ? undefined : { inlineSize: `${full}%` }} />
    </div>
  )
}
