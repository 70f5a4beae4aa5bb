import { classNames } from '../marks/class-names.ts'
import styles from './meter.module.css'

interface Props {
  label: string
  used: number
  of: number
  /** The two in words: '1.2 of 4 cores'. */
  text: string
}

/** From this share on it is nearly full. */
const nearlyFull = 0.85

/** How much of something is taken. */
export function Meter({ label, used, of, text }: Props) {
  const share = of === 0 ? 0 : Math.min(1, used / of)
  return (
    <span className={styles.meter}>
      {/* biome-ignore lint/a11y/useSemanticElements: the native meter cannot be drawn in our colours. */}
      <span
        role="meter"
        aria-label={label}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text}
        className={styles.track}
      >
        <span
          className={classNames(styles.fill, share >= nearlyFull && styles.full)}
          style={{ inlineSize: `${share * 100}%` }}
        />
      </span>
      <bdi className={styles.text}>{text}</bdi>
    </span>
  )
}
