import type { ReactNode } from 'react'
import { SearchField } from '../forms/search-field.tsx'
import styles from './page-header.module.css'

interface Props {
  title: string
  count?: number
  search?: { label: string; value: string; onChange: (text: string) => void }
  /** FilterChip and ToggleChip elements. */
  filters?: ReactNode
  /** Buttons at the inline end; the primary one last. */
  actions?: ReactNode
  /** A word at the end of the filter line, such as how the list is sorted. */
  note?: ReactNode
}

/** The head of every list page: title and count, actions, then search and filters. */
export function PageHeader({ title, count, search, filters, actions, note }: Props) {
  return (
    <header className={styles.header}>
      <div className={styles.line}>
        <h1 className={styles.title}>
          {title} {count !== undefined && <bdi className={styles.count}>{count}</bdi>}
        </h1>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {(search !== undefined || filters !== undefined) && (
        <div className={styles.filters}>
          {search !== undefined && <SearchField {...search} />}
          {filters}
          {note !== undefined && <span className={styles.note}>{note}</span>}
        </div>
      )}
    </header>
  )
}
