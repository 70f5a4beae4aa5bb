import { z } from 'zod'
import { CurrencyCode } from '../account/currency.ts'
import { endpointsOf } from '../http/endpoint.ts'
import { ById, Moment } from '../http/primitives.ts'
import { highestPrice, mostRates, mostStoragePrices } from './rules.ts'

const endpoint = endpointsOf('metrics-dashboard')

const Price = z.number('a number').min(0, 'not below 0').max(highestPrice, `at most ${highestPrice}`)

const StoragePrice = z.strictObject({
  storageClass: z.string().min(1).max(253).nullable().describe('null: every class without a price of its own'),
  gibMonth: Price,
})

/** Amounts of money for an hour, those of storage for a month of 730 hours. Null: no price. */
const prices = {
  currency: CurrencyCode,
  coreHour: Price,
  memoryGibHour: Price,
  storage: z
    .array(StoragePrice)
    .max(mostStoragePrices)
    .refine(
      (all) => new Set(all.map(({ storageClass }) => storageClass)).size === all.length,
      'one price for each storage class',
    ),
  loadBalancerHour: Price.nullable(),
  overheadHour: Price.nullable().describe('what running the cluster costs besides, such as a management fee'),
}

const PriceSheetInput = z.strictObject({
  ...prices,
  validFrom: Moment.optional().describe('now where it is left out'),
})
export type PriceSheetInput = z.infer<typeof PriceSheetInput>

export const PriceSheet = z.object({
  ...prices,
  validFrom: z.string(),
  createdAt: z.string(),
  createdBy: z.string(),
})
export type PriceSheet = z.infer<typeof PriceSheet>

/** Sheets, newest first; the one in force is the first that has begun. */
export const ClusterPrices = z.object({ clusterId: z.string(), data: z.array(PriceSheet) })
export type ClusterPrices = z.infer<typeof ClusterPrices>

const day = z.iso.date({ error: 'must be a date such as 2031-05-01' })
const perEuro = z.number('a number').positive('above 0').max(1e9, 'at most 1000000000')
const RateInput = z.strictObject({
  currency: CurrencyCode.refine((code) => code !== 'EUR', 'every rate is for one euro'),
  perEuro: perEuro.describe('how much of the currency one euro is'),
  asOf: day,
})

const Rate = z.object({
  currency: z.string(),
  perEuro: z.number(),
  asOf: z.string(),
  source: z.enum(['hand', 'file']).describe('hand: somebody entered it; file: from EXCHANGE_RATES_URL'),
})
export type Rate = z.infer<typeof Rate>
const Rates = z.object({ data: z.array(Rate) })

export const costPrices = {
  getPrices: endpoint('GET', '/v1/cost/prices/:id', {
    summary: 'Price sheets of a cluster, newest first',
    params: ById,
    reply: ClusterPrices,
  }),
  setPrices: endpoint('PUT', '/v1/cost/prices/:id', {
    summary: 'Set the prices of a cluster from a moment on; what ran before keeps its prices',
    params: ById,
    body: PriceSheetInput,
    reply: ClusterPrices,
  }),
  getRates: endpoint('GET', '/v1/cost/rates', { summary: 'Exchange rates of one euro', reply: Rates }),
  setRates: endpoint('PUT', '/v1/cost/rates', {
    summary: 'Replace the exchange rates that were entered by hand; they come before those of the file',
    body: z.strictObject({
      data: z
        .array(RateInput)
        .max(mostRates)
        .refine(
          (all) => new Set(all.map(({ currency }) => currency)).size === all.length,
          'one rate for each currency',
        ),
    }),
    reply: Rates,
  }),
}
