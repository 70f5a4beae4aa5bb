import { type ReactNode, useMemo, useState } from 'react'
import { usePreferences } from '../../lib/preferences.ts'
import { type MenuEntry, RowMenu } from '../actions/row-menu.tsx'
import { classNames } from '../marks/class-names.ts'
import { ErrorPanel } from '../states/error-panel.tsx'
import { Skeleton } from '../states/skeleton.tsx'
import styles from './data-table.module.css'
import { nameWhatIsCut } from './name-what-is-cut.ts'
import { nextSort, parseSort, sortRows } from './sort-rows.ts'
import { TableHead } from './table-head.tsx'
import { ColumnChooser, useHiddenColumns } from './tools/column-chooser.tsx'
import { VirtualRows, virtualFrom } from './virtual-rows.tsx'

/** A column of a table whose rows are all here; `sortBy` makes it sortable. */
export interface Column<T> extends Heading<T> {
  sortBy?: (row: T) => string | number | null | undefined
}

/** A column of a table that the server sorts, if the list can be sorted by its key. */
export interface ServerColumn<T> extends Heading<T> {
  sortBy?: never
}

interface Heading<T> {
  key: string
  title: string
  cell: (row: T) => ReactNode
  width?: string
  align?: 'start' | 'end'
  /** Holds sentences: on a narrow screen they stand below the title instead of beside it. */
  long?: boolean
}

/**
 * The side that sorts. A page of a longer list is sorted by the server: sorting one page in the browser would not sort
 * the list, and the browser's collation differs from the database's.
 */
type Sorting<T> =
  | {
      sorts: 'all rows are here'
      columns: readonly Column<T>[]
      /** 'name' or '-name'; left out, the table keeps its own sort. */
      sort?: string | undefined
      onSort?: (sort: string | undefined) => void
    }
  | {
      sorts: 'the server'
      columns: readonly ServerColumn<T>[]
      /** Keys that the list can be sorted by, as the contract has them; left out, it has one order. */
      sortable?: readonly string[]
      /** 'name' or '-name', as the page has asked the server for it. */
      sort?: string | undefined
      onSort?: (sort: string | undefined) => void
    }

export type TableProps<T> = Sorting<T> & Shown<T>

interface Shown<T> {
  /** The name of the table, for screen readers: 'Apps'. */
  label: string
  rows: readonly T[] | undefined
  rowKey: (row: T) => string
  /** Names a row in its menu. */
  rowName?: (row: T) => string
  rowMenu?: (row: T) => readonly MenuEntry[]
  onRowClick?: (row: T) => void
  error?: unknown
  onRetry?: () => void
  /** Shown instead of rows when there are none. */
  empty: ReactNode
}

const skeletonRows = 6

/** The one table: first column names the row; below 600 px every row becomes a card. */
export function DataTable<T>(given: TableProps<T>) {
  const { label, rows, error, onRetry, empty, onSort } = given
  const [hidden, toggle] = useHiddenColumns(label)
  const props = withColumns(given, hidden)
  const { columns } = props
  const { rows: density } = usePreferences()
  const [ownSort, setOwnSort] = useState<string>()
  const sort = onSort === undefined ? ownSort : props.sort
  const sorted = useMemo(() => {
    if (props.sorts === 'the server') return rows
    const wanted = parseSort(sort)
    const by = props.columns.find((column) => column.key === wanted?.key)?.sortBy
    return rows === undefined || wanted === undefined || by === undefined ? rows : sortRows(rows, by, wanted.down)
  }, [rows, props.sorts, props.columns, sort])
  const headings = columns.map(({ key, title, width, align, sortBy }) => {
    const sortable = props.sorts === 'the server' ? props.sortable?.includes(key) === true : sortBy !== undefined
    return { key, title, width, align, sortable }
  })

  if (error != null && rows === undefined) return <ErrorPanel name={label} error={error} onRetry={onRetry} />
  if (sorted?.length === 0) return <div className={styles.frame}>{empty}</div>
  return (
    <div className={styles.frame} aria-busy={sorted === undefined}>
      <table
        className={classNames(styles.table, density === 'compact' && styles.compact)}
        aria-label={label}
        onMouseOver={nameWhatIsCut}
        onFocus={nameWhatIsCut}
      >
        <TableHead
          columns={headings}
          sort={parseSort(sort)}
          withMenu={props.rowMenu !== undefined}
          chooser={<ColumnChooser columns={given.columns.slice(1)} hidden={hidden} onToggle={toggle} />}
          onSort={(key) => (onSort ?? setOwnSort)(nextSort(sort, key))}
        />
        {sorted === undefined ? <SkeletonRows {...props} /> : <Rows {...props} rows={sorted} />}
      </table>
    </div>
  )
}

/** The same table without the columns that the person has hidden; the first one names the row and stays. */
function withColumns<T>(props: TableProps<T>, hidden: ReadonlySet<string>): TableProps<T> {
  if (hidden.size === 0) return props
  const columns = props.columns.filter(({ key }, at) => at === 0 || !hidden.has(key))
  return { ...props, columns } as TableProps<T>
}

function Rows<T>(props: TableProps<T> & { rows: readonly T[] }) {
  const draw = (row: T) => <Row key={props.rowKey(row)} row={row} {...props} />
  if (props.rows.length > virtualFrom)
    return <VirtualRows rows={props.rows} draw={draw} columns={props.columns.length + 1} />
  return <tbody>{props.rows.map(draw)}</tbody>
}

function Row<T>({ row, columns, rowKey, rowName, rowMenu, onRowClick }: TableProps<T> & { row: T }) {
  return (
    // The first cell holds the link; a click on the row is only a larger target for it.
    <tr
      className={onRowClick && styles.clickable}
      onClick={onRowClick && (() => onRowClick(row))}
      data-row={rowKey(row)}
    >
      {columns.map((column, index) => {
        const Cell = index === 0 ? 'th' : 'td'
        return (
          <Cell
            key={column.key}
            scope={index === 0 ? 'row' : undefined}
            className={classNames(styles.cell, column.align === 'end' && styles.end, column.long && styles.long)}
            data-title={index === 0 ? undefined : column.title}
          >
            {column.cell(row)}
          </Cell>
        )
      })}
      {rowMenu !== undefined && (
        <td className={classNames(styles.cell, styles.menu)}>
          <RowMenu name={rowName?.(row) ?? rowKey(row)} entries={rowMenu(row)} />
        </td>
      )}
    </tr>
  )
}

function SkeletonRows<T>({ columns, rowMenu }: TableProps<T>) {
  return (
    <tbody>
      {Array.from({ length: skeletonRows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stand-ins have no identity.
        <tr key={row}>
          {columns.map((column, index) => (
            <td key={column.key} className={styles.cell} data-title={index === 0 ? undefined : column.title}>
              <Skeleton width={index === 0 ? 160 : 72} />
            </td>
          ))}
          {rowMenu !== undefined && <td className={classNames(styles.cell, styles.menu)} />}
        </tr>
      ))}
    </tbody>
  )
}
