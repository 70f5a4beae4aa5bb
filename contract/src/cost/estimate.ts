import { z } from 'zod'
import { AppMetadata, Yaml } from '../deployments/deploy-data.ts'
import { endpointsOf } from '../http/endpoint.ts'
import { Id } from '../http/primitives.ts'

const endpoint = endpointsOf('metrics-dashboard')

/** Differ where an autoscaler decides how many copies run. */
const Span = z.object({ low: z.number(), expected: z.number(), high: z.number() })
export type Span = z.infer<typeof Span>

/** The rate by which amounts were turned into the currency that they are shown in. */
export const UsedRate = z.object({
  from: z.string(),
  asOf: z.string(),
  isOld: z.boolean().describe('older than 7 days'),
})
export type UsedRate = z.infer<typeof UsedRate>

const EstimateLine = z.object({
  object: z.string().describe('kind and name'),
  resource: z.enum(['cpu', 'memory', 'storage', 'loadBalancer']),
  amount: Span.describe('cores, GiB or load balancers'),
  monthly: Span.nullable().describe('null: no price'),
})
export type EstimateLine = z.infer<typeof EstimateLine>

const Unpriced = z.object({
  object: z.string(),
  container: z.string().nullable(),
  why: z.enum([
    'no-cpu-request',
    'no-memory-request',
    'no-storage-price',
    'no-load-balancer-price',
    'runs-for-a-time',
    'unreadable',
  ]),
})
export type Unpriced = z.infer<typeof Unpriced>

export const Estimate = z.object({
  currency: z.string().nullable().describe('null: the cluster has no prices'),
  monthly: Span.nullable().describe('null: no price'),
  delta: Span.nullable().describe('difference from what is deployed; null for what is not, or is not known'),
  lines: z.array(EstimateLine),
  unpriced: z.array(Unpriced).describe('parts of the release that the amounts leave out'),
  rate: UsedRate.nullable().describe('null: nothing was turned into another currency'),
  missingRate: z.string().nullable().describe('the currency of the person, which no exchange rate leads to'),
  budget: z
    .object({
      amount: z.number(),
      monthly: z.number().describe('what the space would cost in a month with this deployment, as it runs now'),
      isExceeded: z.boolean(),
    })
    .nullable()
    .describe('null: the space has no budget, or it cannot be compared for want of prices or rates'),
  problem: z.string().nullable().describe('why there is no estimate'),
})
export type Estimate = z.infer<typeof Estimate>

const Input = z.object({ versionId: Id, appMetadata: AppMetadata, yaml: Yaml })
export type CostEstimateInput = z.infer<typeof Input>

export const costEstimate = {
  estimate: endpoint('POST', '/v1/cost/estimate', {
    summary: 'What values of a version would cost in a month, by the requests of what the chart renders',
    onlyReads: true,
    body: Input,
    reply: Estimate,
  }),
}
