import { z } from 'zod'

/** The deletion goes on in the background as an action of the ledger: `GET /deployment/v1/actions/{actionId}`. */
export const DeletionAccepted = z.object({ actionId: z.string(), state: z.string() })
export type DeletionAccepted = z.infer<typeof DeletionAccepted>
