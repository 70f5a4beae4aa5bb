import { z } from 'zod'
import { ActionKind } from '../deployments/endpoints.ts'
import { endpointsOf } from '../http/endpoint.ts'
import { ById, Moment } from '../http/primitives.ts'
import { longestRangeMs, rangeSlackMs } from './rules.ts'

const endpoint = endpointsOf('metrics-dashboard')

/** The last hour where nothing is said. */
const Range = z
  .object({ from: Moment.optional(), to: Moment.optional() })
  .refine(({ from, to }) => from === undefined || to === undefined || Date.parse(from) < Date.parse(to), {
    error: 'from must be before to',
    path: ['from'],
  })
  .refine(
    ({ from, to }) =>
      from === undefined ||
      (to === undefined ? Date.now() : Date.parse(to)) - Date.parse(from) <= longestRangeMs + rangeSlackMs,
    { error: 'at most 90 days', path: ['from'] },
  )
export type UsageRange = z.infer<typeof Range>

/** One value for each point from the first one on; null: nothing is known of that moment. */
const Line = z.object({
  of: z.enum(['usage', 'requests', 'limits', 'capacity']),
  values: z.array(z.number().nullable()),
})
export type UsageLine = z.infer<typeof Line>

/** How the figures of a cluster arrive. */
const Collection = z.object({
  clusterId: z.string(),
  clusterName: z.string(),
  state: z
    .enum(['off', 'waiting', 'current', 'stale'])
    .describe('off: the portal has no Prometheus; waiting: nothing was collected yet; stale: not any more'),
  at: z.string().nullable().describe('when figures arrived last'),
  message: z.string().nullable().describe('why none arrive, or not all'),
})
export type Collection = z.infer<typeof Collection>

/** Cores and bytes over time. */
export const Usage = z.object({
  from: z.string().describe('moment of the first point'),
  to: z.string(),
  stepSeconds: z.number(),
  cpu: z.array(Line),
  memory: z.array(Line),
  collections: z.array(Collection),
})
export type Usage = z.infer<typeof Usage>

/** Amounts as they are now, in cores or bytes; null: not set, or for use, not measured. */
const Amounts = z.object({
  usage: z.number().nullable(),
  requests: z.number().nullable(),
  limits: z.number().nullable(),
})
const PodUsage = z.object({
  clusterId: z.string(),
  namespace: z.string(),
  pod: z.string(),
  app: z.object({ id: z.string(), displayName: z.string() }).nullable(),
  cpu: Amounts,
  memory: Amounts,
})
export type PodUsage = z.infer<typeof PodUsage>

const NodeAmounts = z.object({ usage: z.number().nullable(), capacity: z.number().nullable() })
const NodeUsage = z.object({ node: z.string(), cpu: NodeAmounts, memory: NodeAmounts })
export type NodeUsage = z.infer<typeof NodeUsage>

/** An action of the ledger that changed what runs of an app. */
const Marker = z.object({
  actionId: z.string(),
  kind: ActionKind,
  outcome: z.enum(['running', 'succeeded', 'failed']),
  at: z.string(),
  version: z.string().nullable(),
  startedBy: z.string(),
  app: z.string().nullable().describe('the name of its app where the place has several; null: the app is gone'),
})
export type Marker = z.infer<typeof Marker>

export const AppUsage = Usage.extend({ pods: z.array(PodUsage), markers: z.array(Marker) })
export type AppUsage = z.infer<typeof AppUsage>
export const SpaceUsage = Usage.extend({ pods: z.array(PodUsage), markers: z.array(Marker) })
export type SpaceUsage = z.infer<typeof SpaceUsage>
export const ClusterUsage = Usage.extend({ nodes: z.array(NodeUsage) })
export type ClusterUsage = z.infer<typeof ClusterUsage>

export const metrics = {
  appUsage: endpoint('GET', '/v1/apps/:id/usage', {
    summary: 'CPU and memory of an app over time with its requests and limits, its pods now, and its actions',
    params: ById,
    query: Range,
    reply: AppUsage,
  }),
  spaceUsage: endpoint('GET', '/v1/spaces/:id/usage', {
    summary: 'CPU and memory of a space over time, its busiest pods now, and the actions in it',
    params: ById,
    query: Range,
    reply: SpaceUsage,
  }),
  clusterUsage: endpoint('GET', '/v1/clusters/:id/usage', {
    summary: 'CPU and memory of a cluster over time with its requests and capacity, and its nodes now',
    params: ById,
    query: Range,
    reply: ClusterUsage,
  }),
}
