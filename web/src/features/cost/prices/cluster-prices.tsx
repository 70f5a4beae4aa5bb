import type { PriceSheet } from '@quayside/contract/cost/prices'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { useState } from 'react'
import { usePrices } from '../../../api/cost/prices.ts'
import { useGuard } from '../../../api/permissions/my-scopes.ts'
import { actorName } from '../../../lib/actor-name.ts'
import { formatPrice } from '../../../lib/money.ts'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { NameCell } from '../../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { PriceDialog } from './price-dialog.tsx'
import styles from './prices.module.css'

type Row = PriceSheet & { state: 'in force' | 'planned' | 'ended' }
const states = { 'in force': 'In force', planned: 'Planned', ended: 'Ended' }
const noPrice = 'No price'

const columns: readonly Column<Row>[] = [
  {
    key: 'from',
    title: 'Valid from',
    sortBy: ({ validFrom }) => validFrom,
    cell: ({ validFrom, state }) => (
      <NameCell below={states[state]}>
        <RelativeTime at={validFrom} />
      </NameCell>
    ),
  },
  { key: 'core', title: 'Core, per hour', align: 'end', cell: (row) => formatPrice(row.coreHour, row.currency) },
  {
    ...{ key: 'memory', title: 'GiB of memory, per hour', align: 'end' },
    cell: (row) => formatPrice(row.memoryGibHour, row.currency),
  },
  { key: 'storage', title: 'GiB of storage, per month', long: true, cell: (row) => <Storage row={row} /> },
  {
    key: 'balancer',
    title: 'Load balancer, per hour',
    align: 'end',
    cell: (row) => priceOf(row, row.loadBalancerHour),
  },
  { key: 'overhead', title: 'Overhead, per hour', align: 'end', cell: (row) => priceOf(row, row.overheadHour) },
  { key: 'by', title: 'Set by', cell: ({ createdBy }) => <bdi>{actorName(createdBy)}</bdi> },
]

const priceOf = ({ currency }: Row, price: number | null) => (price === null ? noPrice : formatPrice(price, currency))

function Storage({ row }: { row: Row }) {
  if (row.storage.length === 0) return noPrice
  return (
    <span className={styles.prices}>
      {row.storage.map(({ storageClass, gibMonth }) => (
        <bdi key={storageClass ?? ''}>
          {storageClass ?? (row.storage.length === 1 ? 'Every class' : 'Every other class')}:{' '}
          {formatPrice(gibMonth, row.currency)}
        </bdi>
      ))}
    </span>
  )
}

/** The prices of a cluster with their history, and the way to change them. */
export function ClusterPrices({ clusterId }: { clusterId: string }) {
  const prices = usePrices(clusterId)
  const guard = useGuard()
  const [editing, setEditing] = useState(false)
  const rows = prices.data && rowsOf(prices.data, new Date().toISOString())
  const edit = (
    <GuardedButton
      look="primary"
      icon={IconPencil}
      {...guard('cluster.prices', 'set the prices of this cluster')}
      onClick={() => setEditing(true)}
    >
      Set prices
    </GuardedButton>
  )
  return (
    <section aria-label="Prices">
      <div className={styles.bar}>
        <p className={styles.text}>
          <bdi>What a core, memory and storage of this cluster cost. A change counts from its moment on.</bdi>
        </p>
        {edit}
      </div>
      <DataTable
        sorts="all rows are here"
        label="Prices"
        columns={columns}
        rows={rows}
        rowKey={({ validFrom }) => validFrom}
        error={prices.error}
        onRetry={() => void prices.refetch()}
        empty={
          <EmptyState
            title="No price"
            text="This cluster has no prices yet, so costs are not shown. Whoever edits clusters can set them."
          />
        }
      />
      {editing && (
        <PriceDialog
          clusterId={clusterId}
          current={rows?.find(({ state }) => state === 'in force') ?? rows?.[0]}
          onClose={() => setEditing(false)}
        />
      )}
    </section>
  )
}

/** Sheets with what each is now; they come newest first. */
function rowsOf(sheets: readonly PriceSheet[], now: string): Row[] {
  const inForce = sheets.find(({ validFrom }) => validFrom <= now)
  return sheets.map((sheet) => ({
    ...sheet,
    state: sheet === inForce ? 'in force' : sheet.validFrom > now ? 'planned' : 'ended',
  }))
}
