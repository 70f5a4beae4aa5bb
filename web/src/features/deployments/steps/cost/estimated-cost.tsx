import type { Estimate, Unpriced, UsedRate } from '@quayside/contract/cost/estimate'
import type { AppMetadata } from '@quayside/contract/deployments/deploy-data'
import { useQuery } from '@tanstack/react-query'
import { estimateQuery } from '../../../../api/cost/estimate.ts'
import { formatChange, formatMoney } from '../../../../lib/money.ts'
import { usePortal } from '../../../../lib/portal.tsx'
import { ErrorIndicator } from '../../../../ui/states/error-indicator.tsx'
import styles from './estimated-cost.module.css'

/** The values that an estimate is about. */
export interface Estimated {
  versionId: string
  appMetadata: AppMetadata
  yaml: string
}

/** The cost of a month that a deployment or an upgrade would lead to, and what it leaves out. */
export function EstimatedCost(about: Estimated) {
  const { api } = usePortal()
  const { data, error } = useQuery(estimateQuery(api, about))
  if (error !== null) return <ErrorIndicator error={error} />
  if (data === undefined) return 'Estimating…'
  return (
    <div className={styles.lines}>
      <Amount estimate={data} />
      {data.currency !== null && data.unpriced.length > 0 && <NotIncluded parts={data.unpriced} />}
      {data.rate !== null && <RateNote rate={data.rate} />}
      {data.missingRate !== null && (
        <span className={styles.note}>
          <bdi>No exchange rate to {data.missingRate}. Whoever edits clusters can enter one.</bdi>
        </span>
      )}
    </div>
  )
}

function Amount({ estimate: { currency, monthly, delta, problem } }: { estimate: Estimate }) {
  if (problem !== null) return <span className={styles.note}>The chart does not render: {problem}</span>
  if (currency === null || monthly === null)
    return (
      <>
        <span>No price</span>
        <span className={styles.note}>
          <bdi>Whoever edits the cluster can set its prices.</bdi>
        </span>
      </>
    )
  const said = (amount: number) => formatMoney(amount, currency)
  return (
    <>
      <bdi className={styles.amount}>{said(monthly.expected)}</bdi>
      {monthly.low !== monthly.high && (
        <span className={styles.note}>
          <bdi>
            {said(monthly.low)} to {said(monthly.high)}, as its autoscaler decides
          </bdi>
        </span>
      )}
      {delta !== null && (
        <span className={styles.note}>
          <bdi>{delta.expected === 0 ? 'As now' : `${formatChange(delta.expected, currency)} compared with now`}</bdi>
        </span>
      )}
    </>
  )
}

const whys: Record<Unpriced['why'], string> = {
  'no-cpu-request': 'no CPU request',
  'no-memory-request': 'no memory request',
  'no-storage-price': 'no price for its storage class',
  'no-load-balancer-price': 'no price for load balancers',
  'runs-for-a-time': 'runs for a limited time',
  unreadable: 'cannot be read',
}

function NotIncluded({ parts }: { parts: readonly Unpriced[] }) {
  return (
    <details className={styles.note}>
      <summary>{parts.length === 1 ? '1 part is not included' : `${parts.length} parts are not included`}</summary>
      <ul className={styles.parts}>
        {parts.map(({ object, container, why }) => (
          <li key={`${object} ${container} ${why}`}>
            <bdi>
              {object}
              {container !== null && `, container ${container}`}: {whys[why]}
            </bdi>
          </li>
        ))}
      </ul>
    </details>
  )
}

function RateNote({ rate: { from, asOf, isOld } }: { rate: UsedRate }) {
  return (
    <span className={isOld ? styles.old : styles.note}>
      <bdi>
        Converted from {from} at the rate of {asOf}
        {isOld && ', which is more than 7 days old'}
      </bdi>
    </span>
  )
}
