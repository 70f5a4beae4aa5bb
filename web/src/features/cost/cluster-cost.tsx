import { CostBySpace } from './amounts/place-costs.tsx'
import { ClusterPrices } from './prices/cluster-prices.tsx'
import { ExchangeRates } from './prices/exchange-rates.tsx'
import styles from './prices/prices.module.css'

/** The Cost tab of a cluster: what spaces cost there and what they leave idle, its prices, and the exchange rates of the tenant. */
export function ClusterCost({ clusterId }: { clusterId: string }) {
  return (
    <div className={styles.stack}>
      <CostBySpace clusterId={clusterId} />
      <ClusterPrices clusterId={clusterId} />
      <ExchangeRates />
    </div>
  )
}
