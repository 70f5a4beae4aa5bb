import type { Allocations } from '@quayside/contract/cost/allocation'
import type { ReactNode } from 'react'
import type { Costs } from '../../../api/cost/allocation.ts'
import { formatMoney } from '../../../lib/money.ts'
import { FactList, Panel } from '../../../ui/layout/panel.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { NameCell } from '../../../ui/lists/name-cell.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import styles from '../prices/prices.module.css'
import { type CostRow, rowsOf, sumOf } from './cost-rows.ts'

interface Props {
  /** The name of the table, and of its first column. */
  label: string
  first: string
  costs: Costs
  nameCell: (row: CostRow) => ReactNode
}

const noPrice = 'No price'
const percent = new Intl.NumberFormat('en', { style: 'percent', signDisplay: 'exceptZero' })

/** Costs of this month by place, with a forecast and how they change. */
export function CostTable({ label, first, costs, nameCell }: Props) {
  const { month, now, week, weekBefore } = costs
  if (month.error !== null && month.data === undefined)
    return <ErrorPanel error={month.error} name={label} onRetry={() => void month.refetch()} />
  if (month.data === undefined) return <Loading />
  if (!month.data.isMeasured)
    return (
      <EmptyState
        title="Metrics are off"
        text="Costs are worked out from metrics. Whoever operates the portal can set PROMETHEUS_URL."
      />
    )
  const rows = rowsOf({ month: month.data, now: now.data, week: week.data, weekBefore: weekBefore.data })
  const { currency } = month.data
  if (rows.length > 0 && currency === null)
    return (
      <EmptyState
        title="No price"
        text="The clusters that this runs on have no prices. Whoever edits clusters can set them on the page of a cluster, under Cost."
      />
    )
  return (
    <div className={styles.stack}>
      {rows.length > 0 && <Sums rows={rows} shown={month.data} />}
      <DataTable
        sorts="all rows are here"
        label={label}
        columns={columnsOf(first, currency, nameCell)}
        rows={rows}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No costs this month" text="Nothing has been measured yet, or nothing ran this month." />
        }
      />
    </div>
  )
}

function Sums({ rows, shown }: { rows: readonly CostRow[]; shown: Allocations }) {
  const said = (amount: number | null) =>
    amount === null || shown.currency === null ? noPrice : formatMoney(amount, shown.currency)
  return (
    <Panel>
      <FactList
        facts={[
          { name: 'This month so far', value: said(sumOf(rows.map(({ month }) => month.totalCost))) },
          { name: 'Forecast for the month', value: said(sumOf(rows.map(({ forecast }) => forecast))) },
          ...shown.rates.map(({ from, asOf, isOld }) => ({
            name: `Converted from ${from}`,
            value: isOld ? <span className={styles.old}>Rate of {asOf}, more than 7 days old</span> : `Rate of ${asOf}`,
          })),
          ...(shown.missingRate === null
            ? []
            : [{ name: 'Your currency', value: `No exchange rate to ${shown.missingRate}` }]),
        ]}
      />
    </Panel>
  )
}

function columnsOf(first: string, currency: string | null, nameCell: Props['nameCell']): readonly Column<CostRow>[] {
  const money = (key: string, title: string, of: (row: CostRow) => number | null): Column<CostRow> => ({
    ...{ key, title, align: 'end', sortBy: of },
    cell: (row) => {
      const amount = of(row)
      return amount === null || currency === null ? '–' : formatMoney(amount, currency)
    },
  })
  return [
    { key: 'name', title: first, sortBy: ({ name }) => name, cell: (row) => <NameCell>{nameCell(row)}</NameCell> },
    money('cpu', 'CPU', ({ month }) => month.cpuCost),
    money('memory', 'Memory', ({ month }) => month.ramCost),
    money('storage', 'Storage', ({ month }) => month.pvCost),
    money('balancers', 'Load balancers', ({ month }) => month.loadBalancerCost),
    {
      ...money('total', 'This month', ({ month }) => month.totalCost),
      cell: ({ month: { totalCost, unpriced } }) => {
        if (totalCost === null || currency === null) return noPrice
        const amount = formatMoney(totalCost, currency)
        return unpriced.length === 0 ? amount : <NameCell below="Partly without a price">{amount}</NameCell>
      },
    },
    money('forecast', 'Forecast', ({ forecast }) => forecast),
    {
      ...{ key: 'trend', title: 'Week on week', align: 'end', sortBy: ({ trend }) => trend },
      cell: ({ trend }) => (trend === null ? '–' : percent.format(trend)),
    },
  ]
}
