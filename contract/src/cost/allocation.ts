import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { Id } from '../http/primitives.ts'
import { UsedRate } from './estimate.ts'

const endpoint = endpointsOf('metrics-dashboard')

const flag = z.enum(['true', 'false']).default('false')

const AllocationQuery = z.object({
  window: z
    .string()
    .max(80)
    .default('month')
    .describe('today, yesterday, week, month, lastweek, lastmonth, 24h, 7d, or two moments with a comma between them'),
  aggregate: z.enum(['cluster', 'namespace', 'space', 'app']).default('space'),
  accumulate: flag.describe('true: one set; false: one for each day of UTC'),
  includeIdle: flag.describe('the part of clusters that nothing of a space takes, as __idle__; needs clusters.view'),
  shareIdle: z
    .enum(['false', 'true', 'weighted', 'even'])
    .default('false')
    .describe('true and weighted: by cost; even: the same for each; needs clusters.view'),
  clusterId: Id.optional(),
  spaceId: Id.optional(),
  appId: Id.optional(),
})
export type AllocationQuery = z.infer<typeof AllocationQuery>

const Money = z.number().nullable().describe('null: no price')

/** Fields as OpenCost names them. */
const Allocation = z.object({
  name: z.string(),
  properties: z.object({
    cluster: z.string().optional(),
    namespace: z.string().optional(),
    space: z.string().optional(),
    app: z.string().optional(),
    displayName: z.string().describe('the present name; the id of what is gone'),
  }),
  start: z.string(),
  end: z.string(),
  minutes: z.number().describe('time in which something of it ran and was measured'),
  cpuCoreHours: z.number(),
  cpuCoreRequestAverage: z.number(),
  cpuCoreUsageAverage: z.number(),
  cpuCost: Money,
  ramByteHours: z.number(),
  ramByteRequestAverage: z.number(),
  ramByteUsageAverage: z.number(),
  ramCost: Money,
  pvByteHours: z.number(),
  pvCost: Money,
  loadBalancerCost: Money,
  sharedCost: z.number().describe('its share of what is idle'),
  totalCost: Money.describe('the sum of what has a price; null where nothing has'),
  unpriced: z.array(z.enum(['cpu', 'memory', 'storage', 'loadBalancer'])).describe('taken for a time without a price'),
})
export type Allocation = z.infer<typeof Allocation>

export const Allocations = z.object({
  code: z.literal(200),
  data: z.array(z.record(z.string(), Allocation)),
  measuredMinutes: z.array(z.number()).describe('time of each set in which a cluster was measured at all'),
  currency: z.string().nullable().describe('null: no price'),
  rates: z.array(UsedRate),
  missingRate: z.string().nullable(),
  isMeasured: z.boolean().describe('false: the portal has no metrics'),
})
export type Allocations = z.infer<typeof Allocations>

export const costAllocation = {
  allocation: endpoint('GET', '/v1/cost/allocation', {
    summary:
      'Costs by cluster, namespace, space or app, with the names of OpenCost, of spaces whose apps the caller sees',
    query: AllocationQuery,
    reply: Allocations,
  }),
}
