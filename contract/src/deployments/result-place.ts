import { z } from 'zod'

export const LintResultType = z.enum(['ok', 'info', 'error', 'fatal'])

/**
 * Place of a finding: the object of the rendered manifest, the chart's file that it comes from, and the path in the
 * object.
 */
export const ManifestPlace = z.object({
  kind: z.string(),
  name: z.string(),
  source: z.string().optional(),
  path: z.string().optional(),
})
export type ManifestPlace = z.infer<typeof ManifestPlace>
