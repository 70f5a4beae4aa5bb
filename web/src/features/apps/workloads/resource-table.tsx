import type { UseQueryResult } from '@tanstack/react-query'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'

interface Props<T> {
  label: string
  columns: readonly Column<T>[]
  found: UseQueryResult<{ data: T[] }>
}

/** Objects of one kind; an app need not have any. */
export function ResourceTable<T extends { name: string }>({ label, columns, found }: Props<T>) {
  return (
    <DataTable
      sorts="all rows are here"
      label={label}
      columns={columns}
      rows={found.data?.data}
      rowKey={(row) => ('kind' in row ? `${String(row.kind)}/${row.name}` : row.name)}
      error={found.error}
      onRetry={() => void found.refetch()}
      empty={<EmptyState title="None" />}
    />
  )
}
