import { z } from 'zod'

/** Remains of an action on the cluster, whose Helm was ended before its time. */
export const LeftBehind = z.object({
  /** `none`: there is no release; `unknown`: the cluster did not say. */
  release: z.enum(['none', 'failed', 'deployed', 'unknown']),
  revision: z.number().nullable(),
  /** The newest revision before it that was deployed, if there is one to go back to. */
  rollbackTo: z.number().nullable(),
  /** Objects of the release that are on the cluster, as kind and name; the first of them. */
  objects: z.array(z.string()),
  objectCount: z.number(),
})
export type LeftBehind = z.infer<typeof LeftBehind>
