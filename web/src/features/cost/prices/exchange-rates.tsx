import type { Rate } from '@quayside/contract/cost/prices'
import { daysTillOldRate } from '@quayside/contract/cost/rules'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useState } from 'react'
import { useRates, useSetRates } from '../../../api/cost/prices.ts'
import { useGuard } from '../../../api/permissions/my-scopes.ts'
import { explainError } from '../../../lib/api/api-error.ts'
import { useConfirm } from '../../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { NameCell } from '../../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import styles from './prices.module.css'
import { RateDialog } from './rate-dialog.tsx'

const dayMs = 86_400_000
const isOld = (asOf: string) => Date.now() - Date.parse(asOf) > (daysTillOldRate + 1) * dayMs

const columns: readonly Column<Rate>[] = [
  {
    key: 'currency',
    title: 'Currency',
    sortBy: ({ currency }) => currency,
    cell: ({ currency }) => <NameCell>{currency}</NameCell>,
  },
  { key: 'rate', title: 'One euro is', align: 'end', cell: ({ perEuro, currency }) => `${perEuro} ${currency}` },
  {
    key: 'asOf',
    title: 'Rate of',
    sortBy: ({ asOf }) => asOf,
    cell: ({ asOf }) =>
      isOld(asOf) ? (
        <span className={styles.old}>
          <bdi>{asOf}, more than 7 days old</bdi>
        </span>
      ) : (
        asOf
      ),
  },
  {
    key: 'source',
    title: 'Source',
    cell: ({ source }) => (source === 'hand' ? 'Entered by hand' : 'File of exchange rates'),
  },
]

/** The exchange rates of the tenant, by which amounts are shown in the currency that a person has chosen. */
export function ExchangeRates() {
  const rates = useRates()
  const guard = useGuard()
  const confirm = useConfirm()
  const save = useSetRates()
  const [adding, setAdding] = useState(false)
  const byHand = rates.data?.filter(({ source }) => source === 'hand') ?? []
  const right = guard('cluster.prices', 'change exchange rates')
  const keep = (data: readonly Rate[]) => data.map(({ currency, perEuro, asOf }) => ({ currency, perEuro, asOf }))
  const remove = async (rate: Rate) => {
    const message = `Amounts are no longer shown in ${rate.currency}, unless a file of exchange rates has it.`
    if (!(await confirm({ title: 'Remove the rate', danger: true, message }))) return
    try {
      await save.mutateAsync(keep(byHand.filter((one) => one !== rate)))
    } catch (error) {
      await confirm({ type: 'alert', title: 'Not removed', message: explainError(error, navigator.onLine).message })
    }
  }
  return (
    <section aria-label="Exchange rates">
      <div className={styles.bar}>
        <p className={styles.text}>
          <bdi>Everybody sees amounts in the currency of their account, where a rate leads there.</bdi>
        </p>
        <GuardedButton icon={IconPlus} {...right} onClick={() => setAdding(true)}>
          Enter a rate
        </GuardedButton>
      </div>
      <DataTable
        sorts="all rows are here"
        label="Exchange rates"
        columns={columns}
        rows={rates.data}
        rowKey={({ currency }) => currency}
        rowName={({ currency }) => currency}
        rowMenu={(rate) =>
          rate.source === 'hand'
            ? [{ label: 'Remove', icon: IconTrash, danger: true, onSelect: () => void remove(rate), right }]
            : []
        }
        error={rates.error}
        onRetry={() => void rates.refetch()}
        empty={<EmptyState title="No exchange rates" text="Amounts are shown in the currency of their prices." />}
      />
      {adding && <RateDialog kept={keep(byHand)} onClose={() => setAdding(false)} />}
    </section>
  )
}
