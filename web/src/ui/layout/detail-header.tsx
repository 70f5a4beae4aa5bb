import type { ReactNode } from 'react'
import styles from './detail-header.module.css'

interface Props {
  title: string
  /** Id and other identifiers, in mono. */
  below?: ReactNode
  mark?: ReactNode
  state?: ReactNode
  actions?: ReactNode
}

/** The head of one thing's page. */
export function DetailHeader({ title, below, mark, state, actions }: Props) {
  return (
    <header className={styles.header}>
      {mark}
      <div className={styles.names}>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {below !== undefined && <div className={styles.below}>{below}</div>}
      </div>
      {state}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </header>
  )
}
