import { z } from 'zod'

export const LintResultType = z.enum(['ok', 'info', 'error', 'fatal'])

/** Which object of a rendered manifest is meant, the chart's file that it comes from, and where in the object. */
export const ManifestPlace = z.object({
  kind: z.string(),
  name: z.string(),
  source: z.string().optional(),
  path: z.string().optional(),
})
export type ManifestPlace = z.infer<typeof ManifestPlace>
