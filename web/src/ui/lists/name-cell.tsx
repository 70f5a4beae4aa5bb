import type { ReactNode } from 'react'
import styles from './name-cell.module.css'

interface Props {
  /** The name, usually a link. */
  children: ReactNode
  /** The id or another second line, in mono. */
  below?: ReactNode
  /** An avatar in front. */
  mark?: ReactNode
}

/** A thing's name in text weight with its id in mono below. */
export function NameCell({ children, below, mark }: Props) {
  return (
    <span className={styles.cell}>
      {mark}
      <span className={styles.lines}>
        <bdi className={styles.name}>{children}</bdi>
        {below !== undefined && <bdi className={styles.below}>{below}</bdi>}
      </span>
    </span>
  )
}
