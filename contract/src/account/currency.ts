import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'

const endpoint = endpointsOf('portal-api')
const known = new Set(Intl.supportedValuesOf('currency'))

const Code = z
  .string()
  .max(3)
  .refine((code) => known.has(code), 'the code of a currency, such as EUR')

export const Currency = z.object({ currency: z.string().nullable().describe('code of ISO 4217; null: none is chosen') })
export type Currency = z.infer<typeof Currency>

export const currency = {
  getCurrency: endpoint('GET', '/v0/currency', {
    summary: 'Currency that the signed-in user sees amounts of money in',
    reply: Currency,
  }),
  setCurrency: endpoint('PUT', '/v0/currency', {
    summary: 'Choose a currency; tokens that are made from then on carry it in the claim currency',
    body: z.strictObject({ currency: Code.nullable() }),
    reply: Currency,
  }),
}
