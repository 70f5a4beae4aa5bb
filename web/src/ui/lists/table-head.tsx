import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import type { ReactNode } from 'react'
import { classNames } from '../marks/class-names.ts'
import styles from './data-table.module.css'
import type { Sort } from './sort-rows.ts'

interface Heading {
  key: string
  title: string
  sortable?: boolean | undefined
  width?: string | undefined
  align?: 'start' | 'end' | undefined
}

interface Props {
  columns: readonly Heading[]
  sort: Sort | undefined
  withMenu: boolean
  /** Stands above the menus of the rows. */
  chooser?: ReactNode
  onSort: (key: string) => void
}

/** The sticky head; a sortable column's title is a button. */
export function TableHead({ columns, sort, withMenu, chooser, onSort }: Props) {
  return (
    <thead className={styles.head}>
      <tr>
        {columns.map((column) => {
          const direction = sort?.key === column.key ? (sort.down ? 'descending' : 'ascending') : undefined
          const Arrow = direction === 'descending' ? IconArrowDown : IconArrowUp
          return (
            <th
              key={column.key}
              scope="col"
              aria-sort={direction}
              style={{ inlineSize: column.width }}
              className={classNames(styles.heading, column.align === 'end' && styles.end)}
            >
              {column.title === '' ? (
                <span className="unseen">{column.key}</span>
              ) : column.sortable !== true ? (
                column.title
              ) : (
                <button
                  type="button"
                  className={classNames(styles.sort, column.align === 'end' && styles.sortEnd)}
                  onClick={() => onSort(column.key)}
                >
                  {column.title}
                  <Arrow size={12} aria-hidden className={direction === undefined ? styles.unsorted : undefined} />
                </button>
              )}
            </th>
          )
        })}
        {withMenu && (
          <th scope="col" className={classNames(styles.heading, styles.menu)}>
            <span className="unseen">Actions</span>
            {chooser}
          </th>
        )}
      </tr>
    </thead>
  )
}
