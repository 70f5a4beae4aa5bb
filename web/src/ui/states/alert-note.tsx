import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import type { ReactNode } from 'react'
import styles from './alert-note.module.css'

interface Props {
  tone: 'bad' | 'warn'
  title: ReactNode
  /** Paragraphs. */
  children: ReactNode
  /** A button that helps. */
  action?: ReactNode
}

/** Tells above a page what is wrong with the thing that it shows, and offers the way out. */
export function AlertNote({ tone, title, children, action }: Props) {
  return (
    <div role="alert" className={`${styles.note} ${styles[tone]}`}>
      <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
      <div className={styles.words}>
        <strong>{title}</strong>
        {children}
      </div>
      {action}
    </div>
  )
}
