import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

interface Props {
  title: string
  /** A hint on how to get something to show here. */
  text?: ReactNode
  icon?: Icon
  /** The next step: a button or a link. */
  action?: ReactNode
}

/** The placeholder of a list that has nothing to show. */
export function EmptyState({ title, text, icon: StateIcon, action }: Props) {
  return (
    <div className={styles.empty}>
      {StateIcon !== undefined && <StateIcon size={28} stroke={1.5} aria-hidden className={styles.icon} />}
      <p className={styles.title}>
        <bdi>{title}</bdi>
      </p>
      {text !== undefined && (
        <p className={styles.text}>
          <bdi>{text}</bdi>
        </p>
      )}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  )
}
