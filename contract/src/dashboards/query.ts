import { z } from 'zod'
import { ClusterEvent, Health } from '../clusters/endpoints.ts'
import { endpointsOf } from '../http/endpoint.ts'
import { Id, Moment } from '../http/primitives.ts'
import { Usage } from '../metrics/endpoints.ts'
import { mostPanels } from './rules.ts'
import { Panel, PanelLink } from './spec.ts'

const endpoint = endpointsOf('dashboard')

const Key = z.string().min(1).max(40)
const Range = z
  .strictObject({ from: Moment, to: Moment })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), { error: 'from must be before to', path: ['from'] })
  .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= 90 * 86_400_000, {
    error: 'at most 90 days',
    path: ['to'],
  })

/** Panels of a saved dashboard by their keys, or panels that somebody is editing. */
export const PanelQuery = z.union([
  z.strictObject({ dashboardId: Id, panels: z.array(Key).min(1).max(mostPanels), range: Range }),
  z.strictObject({
    preview: z.record(Key, Panel).refine((panels) => Object.keys(panels).length <= mostPanels, 'too many panels'),
    range: Range,
  }),
])
export type PanelQuery = z.infer<typeof PanelQuery>

const Bucket = z.object({
  at: z.string(),
  succeeded: z.number(),
  failed: z.number(),
  running: z.number(),
})
/** Names of clusters that did not answer, so that what they report is not among the rest. */
const missing = z.array(z.string())
const Resource = z.object({ cpuMillis: z.number(), memoryBytes: z.number() })

/** Data of a panel, by its kind. */
export const PanelData = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('AppStates'),
    total: z.number(),
    states: z.array(z.object({ state: z.string(), count: z.number() })),
  }),
  z.object({ kind: z.literal('Deployments'), bucketSeconds: z.number(), buckets: z.array(Bucket) }),
  z.object({ kind: z.literal('Events'), events: z.array(ClusterEvent.extend({ clusterName: z.string() })), missing }),
  z.object({
    kind: z.literal('ClusterMap'),
    clusters: z.array(
      z.object({
        id: z.string(),
        displayName: z.string(),
        health: Health,
        nodes: z.object({ ready: z.number(), total: z.number() }),
        capacity: Resource,
        requested: Resource,
      }),
    ),
  }),
  z.object({
    kind: z.literal('SpaceQuota'),
    quotas: z.array(
      z.object({
        clusterName: z.string(),
        resource: z.string(),
        used: z.string(),
        hard: z.string(),
        share: z.number(),
      }),
    ),
    missing,
  }),
  z.object({ kind: z.literal('Usage'), resource: z.enum(['cpu', 'memory']), usage: Usage }),
  z.object({ kind: z.literal('Links'), links: z.array(PanelLink) }),
])
export type PanelData = z.infer<typeof PanelData>

/** One line of the answer; each comes as soon as its panel is ready. */
export type PanelFrame =
  | { key: string; status: 'ok'; data: PanelData; at: string }
  /** `hidden`: the viewer does not see what the panel is about. `incomplete`: a setting is missing. */
  | { key: string; status: 'hidden' | 'incomplete' | 'failed'; message: string }

export const dashboardQuery = {
  queryPanels: endpoint('POST', '/v1/query', {
    summary: 'What panels show, as the caller sees it: lines of JSON, each as soon as its panel is ready',
    body: PanelQuery,
    streams: true,
    onlyReads: true,
  }),
}
