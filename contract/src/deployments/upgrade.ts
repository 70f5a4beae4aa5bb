import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ById } from '../http/primitives.ts'
import { AppMetadata, Yaml } from './deploy-data.ts'

const Path = z.array(z.string())

/** Both the person and the chart touched this value; a side that is missing has none. */
export const MergeConflict = z.object({
  path: Path,
  reason: z.enum(['changed', 'removed', 'retyped', 'added']),
  before: z.unknown().optional(),
  yours: z.unknown().optional(),
  theirs: z.unknown().optional(),
  /** For lists: the entries that each side changed. */
  places: z.object({ yours: z.array(z.string()), theirs: z.array(z.string()) }).optional(),
})
export type MergeConflict = z.infer<typeof MergeConflict>

/** Result of merging deployed values into the defaults of another version. */
export const ValuesMerge = z.object({
  conflicts: z.array(MergeConflict),
  kept: z.array(Path),
  taken: z.array(Path),
  added: z.array(Path),
  removed: z.array(Path),
  /** Where secrets stand in these values: what is there, a chart's own default too, is not shown to people. */
  secrets: z.array(Path).optional(),
})
export type ValuesMerge = z.infer<typeof ValuesMerge>

/** Two states of a text; secrets are masked in both, and one that differs says so. */
export const Sides = z.object({ before: z.string(), after: z.string() })
export type Sides = z.infer<typeof Sides>

/** An object of the release that is not the same in both states. */
export const ObjectChange = Sides.extend({
  kind: z.string(),
  name: z.string(),
  namespace: z.string().nullable(),
  change: z.enum(['added', 'removed', 'changed']),
})
export type ObjectChange = z.infer<typeof ObjectChange>

/** Differences between two states of a release. */
export const ReleaseDiff = z.object({
  values: Sides,
  objects: z.array(ObjectChange),
  /** How many objects are the same in both. */
  unchanged: z.number(),
  /** Why the objects could not be compared, if they could not. */
  problem: z.string().nullable(),
})
export type ReleaseDiff = z.infer<typeof ReleaseDiff>

/** Without `yaml` it is about what an upgrade to the version would start from. */
export const PreviewBody = z.object({ appMetadata: AppMetadata, yaml: Yaml.nullish() })

const endpoint = endpointsOf('deployment')
const base = '/v1/helm/deployment'

/** The calls that say beforehand what an upgrade or a rollback would change; part of the deployment service's. */
export const upgrading = {
  compareRevisions: endpoint('GET', `${base}/compare/:id`, {
    summary: 'What differs between two revisions of an app, values and objects',
    handsOut: true,
    params: ById,
    query: z.object({ from: z.coerce.number().int().min(1), to: z.coerce.number().int().min(1) }),
    reply: ReleaseDiff,
  }),
  preview: endpoint('PUT', `${base}/preview/:id`, {
    summary: 'What an upgrade of an app to catalog version id would change, values and objects; nothing is applied',
    handsOut: true,
    params: ById,
    body: PreviewBody,
    reply: ReleaseDiff,
  }),
}
