import { type StorageClass, useStorageClasses } from '../../api/clusters/cluster.ts'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { NameCell } from '../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'

const columns: readonly Column<StorageClass>[] = [
  {
    key: 'name',
    title: 'Storage class',
    sortBy: ({ metadata }) => metadata.name,
    cell: ({ metadata }) => <NameCell>{metadata.name}</NameCell>,
  },
  {
    key: 'provisioner',
    title: 'Provisioner',
    sortBy: ({ provisioner }) => provisioner,
    cell: ({ provisioner }) => <code>{provisioner}</code>,
  },
  { key: 'default', title: 'Default', cell: ({ isDefault }) => (isDefault ? 'Default' : '–') },
]

export function ClusterStorage({ id }: { id: string }) {
  const classes = useStorageClasses(id)
  return (
    <DataTable
      sorts="all rows are here"
      label="Storage classes"
      columns={columns}
      rows={classes.data}
      rowKey={({ metadata }) => metadata.name}
      error={classes.error}
      onRetry={() => void classes.refetch()}
      empty={<EmptyState title="No storage classes" text="Apps that need a volume cannot start on this cluster." />}
    />
  )
}
