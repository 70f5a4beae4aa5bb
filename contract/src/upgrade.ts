import { z } from 'zod'

const Path = z.array(z.string())

/** Both the person and the chart touched this value; a side that is missing has none. */
export const MergeConflict = z.object({
  path: Path,
  reason: z.enum(['changed', 'removed', 'retyped', 'added']),
  before: z.unknown().optional(),
  yours: z.unknown().optional(),
  theirs: z.unknown().optional(),
})
export type MergeConflict = z.infer<typeof MergeConflict>

/** What became of deployed values that were carried over to the defaults of another version. */
export const ValuesMerge = z.object({
  conflicts: z.array(MergeConflict),
  kept: z.array(Path),
  taken: z.array(Path),
  added: z.array(Path),
  removed: z.array(Path),
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

/** What differs between two states of a release. */
export const ReleaseDiff = z.object({
  values: Sides,
  objects: z.array(ObjectChange),
  /** How many objects are the same in both. */
  unchanged: z.number(),
  /** Why the objects could not be compared, if they could not. */
  problem: z.string().nullable(),
})
export type ReleaseDiff = z.infer<typeof ReleaseDiff>
