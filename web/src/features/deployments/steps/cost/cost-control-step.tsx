import { longestCostReason } from '@quayside/contract/cost/rules'
import { formatMoney } from '../../../../lib/money.ts'
import { TextArea } from '../../../../ui/forms/text-field.tsx'
import { FactList } from '../../../../ui/layout/panel.tsx'
import { texts } from '../../texts.ts'
import styles from '../steps.module.css'
import type { CostControl } from './use-cost-control.ts'

/** Asks for the reason of a deployment that goes beyond the budget of its space. */
export function CostControlStep({ control: { over, reason, setReason } }: { control: CostControl }) {
  if (over?.budget == null || over.currency === null) return null
  const { amount, monthly } = over.budget
  const said = (money: number) => formatMoney(money, over.currency ?? '')
  const t = texts.costControl
  return (
    <section aria-label={t.step} className={styles.step}>
      <div>
        <h3>{t.heading}</h3>
        <p className={styles.text}>{t.text}</p>
      </div>
      <FactList
        facts={[
          { name: t.budget, value: <bdi>{said(amount)}</bdi> },
          { name: t.expected, value: <bdi>{said(monthly)}</bdi> },
          { name: t.beyond, value: <bdi>{said(monthly - amount)}</bdi> },
        ]}
      />
      <TextArea
        label={t.reason}
        dir="auto"
        required
        maxLength={longestCostReason}
        help={t.reasonHelp}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </section>
  )
}
