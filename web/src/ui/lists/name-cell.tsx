import type { ReactNode } from 'react'
import { classNames } from '../marks/class-names.ts'
import styles from './name-cell.module.css'

interface Props {
  /** The name, usually a link. */
  children: ReactNode
  /** The id or another second line, in mono. */
  below?: ReactNode
  /** A sentence as the second line, in the face of text. */
  sentence?: string | undefined
  /** An avatar in front. */
  mark?: ReactNode
}

/** A thing's name in text weight with its id in mono below. */
export function NameCell({ children, below, sentence, mark }: Props) {
  return (
    <span className={styles.cell}>
      {mark}
      <span className={styles.lines}>
        <bdi className={styles.name}>{children}</bdi>
        {below !== undefined && <bdi className={styles.below}>{below}</bdi>}
        {sentence !== undefined && <bdi className={classNames(styles.below, styles.sentence)}>{sentence}</bdi>}
      </span>
    </span>
  )
}
