import type { ReactNode } from 'react'
import { useUrlState } from '../../../lib/url-state.ts'
import { DataTable, type ServerColumn, type TableProps } from '../data-table.tsx'
import { EmptyPage } from './empty-page.tsx'
import { UrlPager } from './url-pager.tsx'

interface Page<T> {
  data: readonly T[]
  page: { skip: number; limit: number; total: number }
}

interface Props<T>
  extends Omit<TableProps<T>, 'sorts' | 'columns' | 'rows' | 'error' | 'onRetry' | 'sort' | 'onSort' | 'empty'> {
  /** The page of the list that was asked for. */
  list: { data: Page<T> | undefined; error: unknown; refetch: () => unknown }
  columns: readonly ServerColumn<T>[]
  /** Keys that the list can be sorted by, as the contract has them; left out, it has one order. */
  sortable?: readonly string[]
  /** The order of the list while the address names none: 'name' or '-name'. */
  usualSort?: string
  /** The rows in the plural, as in "No apps on this page any more". */
  rowsName: string
  /** Shown for a list that has no rows at all. */
  empty: ReactNode
}

/** One page of a list that the server sorts, with its pager; place and order are kept in the address. */
export function PagedTable<T>({ list, usualSort, rowsName, empty, ...table }: Props<T>) {
  const [{ sort = usualSort }, setUrl] = useUrlState()
  const page = list.data?.page
  return (
    <>
      <DataTable
        {...table}
        sorts="the server"
        rows={list.data?.data}
        error={list.error}
        onRetry={() => void list.refetch()}
        sort={sort}
        onSort={(next) => setUrl({ sort: next, skip: '' })}
        empty={
          <EmptyPage page={page} rows={rowsName}>
            {empty}
          </EmptyPage>
        }
      />
      <UrlPager page={page} />
    </>
  )
}
