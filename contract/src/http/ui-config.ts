import { z } from 'zod'

/** `GET /en/config.json`: what the browser must know before anyone has signed in. Public. */
export const UiConfig = z.object({
  product: z.literal('quayside'),
  build: z.string(),
  tenant: z.object({ id: z.string(), identifier: z.string(), realm: z.string(), displayName: z.string() }),
  oidc: z.object({
    authority: z.string(),
    clientId: z.string(),
    scope: z.string(),
    /** Sign-in client per section (first path segment, or catalog-{second}); sections not named use the main client. */
    clients: z.record(z.string(), z.string()),
  }),
  flags: z.record(z.string(), z.union([z.string(), z.boolean()])),
  activity: z.object({ enabled: z.boolean(), app: z.string(), version: z.string(), environment: z.string() }),
})
export type UiConfig = z.infer<typeof UiConfig>
