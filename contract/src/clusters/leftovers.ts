import { z } from 'zod'

/** Something that an uninstalled release does not take with it, or that the portal made beside it. */
export const Leftover = z.object({
  /** `grants`, `redirect-uris`, `pins`, or `{kind}/{namespace}/{name}` of an object in the cluster. */
  id: z.string(),
  what: z.enum(['object', 'grants', 'redirect-uris', 'pins']),
  kind: z.string(),
  name: z.string(),
  namespace: z.string().nullable(),
  /** Why it would stay, in a sentence. */
  why: z.string(),
  /** Its size, or whom it lets in. */
  detail: z.string().nullable(),
  byDefault: z.enum(['keep', 'remove']),
  /** Why it cannot be removed by the one who asks; null when it can. */
  refusal: z.string().nullable(),
})
export type Leftover = z.infer<typeof Leftover>

/** Tells whether to keep or remove one leftover; those that are not named go by their default. */
export const LeftoverChoice = z.object({ id: z.string().min(1).max(600), choice: z.enum(['keep', 'remove']) })
export type LeftoverChoice = z.infer<typeof LeftoverChoice>
