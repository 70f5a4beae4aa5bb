import type { PriceSheet } from '@quayside/contract/cost/prices'
import { hoursOfMonth } from '@quayside/contract/cost/rules'

/** Cores, GiB of memory or of storage, or load balancers. */
type Priced = 'cpu' | 'memory' | 'storage' | 'loadBalancer'

export type Prices = Pick<
  PriceSheet,
  'currency' | 'coreHour' | 'memoryGibHour' | 'storage' | 'loadBalancerHour' | 'overheadHour'
>

/** The price of one unit for an hour; null where the sheet has none. */
export function priceOfHour(prices: Prices, resource: Priced, storageClass: string | null): number | null {
  switch (resource) {
    case 'cpu':
      return prices.coreHour
    case 'memory':
      return prices.memoryGibHour
    case 'loadBalancer':
      return prices.loadBalancerHour
    case 'storage': {
      const of = (name: string | null) => prices.storage.find((one) => one.storageClass === name)
      const found = of(storageClass) ?? of(null)
      return found === undefined ? null : found.gibMonth / hoursOfMonth
    }
  }
}
