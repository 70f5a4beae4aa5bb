import type { NodePool } from '@quayside/contract/clusters/scaling'
import { mostNodes } from '@quayside/contract/clusters/scaling-bounds'
import { useState } from 'react'
import { useNodePools, useResizePool } from '../../../api/clusters/scaling.ts'
import { useGuard } from '../../../api/permissions/my-scopes.ts'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import styles from './node-pools.module.css'

/** Pools of nodes that are alike, and the way to resize them. */
export function NodePools({ id }: { id: string }) {
  const pools = useNodePools(id)
  const resize = useResizePool()
  const right = useGuard()('cluster.resize', 'resize a node pool')
  const [open, setOpen] = useState<NodePool>()
  const columns: readonly Column<NodePool>[] = [
    {
      key: 'name',
      title: 'Node pool',
      sortBy: ({ name }) => name,
      cell: ({ name }) => <code className="ltr">{name}</code>,
    },
    { key: 'count', title: 'Nodes', align: 'end', sortBy: ({ count }) => count, cell: ({ count }) => count },
    { key: 'ready', title: 'Ready', align: 'end', cell: ({ ready }) => ready ?? '–' },
    {
      key: 'provider',
      title: 'Managed by',
      cell: ({ provider }) => (provider === 'sandbox' ? 'Sandbox' : 'Cluster API'),
    },
    {
      key: 'resize',
      title: 'Size',
      cell: (pool) => (
        <GuardedButton small {...right} onClick={() => setOpen(pool)}>
          Resize
        </GuardedButton>
      ),
    },
  ]
  return (
    <Panel title="Node pools" flush>
      <DataTable
        sorts="all rows are here"
        label="Node pools"
        columns={columns}
        rows={pools.data?.data}
        rowKey={({ name }) => name}
        error={pools.error}
        onRetry={() => void pools.refetch()}
        empty={<EmptyState title="No node pools" text={pools.data?.reason ?? ''} />}
      />
      {resize.isSuccess && open === undefined && (
        <p role="status" className={styles.said}>
          <bdi>{resize.data}</bdi>
        </p>
      )}
      {open !== undefined && <ResizeDialog id={id} pool={open} resize={resize} onClose={() => setOpen(undefined)} />}
    </Panel>
  )
}

interface Props {
  id: string
  pool: NodePool
  resize: ReturnType<typeof useResizePool>
  onClose: () => void
}

function ResizeDialog({ id, pool, resize, onClose }: Props) {
  const [text, setText] = useState(String(pool.count))
  const wanted = /^\d{1,4}$/.test(text.trim()) ? Number(text) : undefined
  const isFit = wanted !== undefined && wanted <= mostNodes
  const less = isFit ? pool.count - wanted : 0
  const close = () => {
    resize.reset()
    onClose()
  }
  return (
    <FormDialog
      title={`Resize ${pool.name}`}
      submitLabel="Resize"
      busy={resize.isPending}
      disabled={!isFit}
      error={resize.error}
      onClose={close}
      onSubmit={() => {
        if (isFit) resize.mutate({ clusterId: id, pool: pool.name, count: wanted }, { onSuccess: onClose })
      }}
    >
      <TextField
        label="Nodes"
        inputMode="numeric"
        data-autofocus
        value={text}
        error={isFit ? undefined : `Enter a whole number from 0 to ${mostNodes}.`}
        onChange={(event) => {
          resize.reset()
          setText(event.target.value)
        }}
      />
      {less > 0 && (
        <p className={styles.note}>
          <bdi>
            {`${less} ${less === 1 ? 'node is' : 'nodes are'} removed. Their pods start on the nodes that stay, if these have room.`}
          </bdi>
        </p>
      )}
    </FormDialog>
  )
}
