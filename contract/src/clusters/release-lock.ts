import { z } from 'zod'

/** Lock on a release that no action of this portal works on, as far as the cluster shows it. */
export const ReleaseLock = z.object({
  /** Since when, and when anything of the release last moved. */
  since: z.string(),
  movedAt: z.string(),
  /** Nothing has moved for so long that nobody seems to be at work any more. */
  isDead: z.boolean(),
  says: z.string(),
})
export type ReleaseLock = z.infer<typeof ReleaseLock>
