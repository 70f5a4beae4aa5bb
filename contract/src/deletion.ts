import { z } from 'zod'

/** What goes on by itself from here: an action of the ledger, at `GET /deployment/v1/actions/{actionId}`. */
export const DeletionAccepted = z.object({ actionId: z.string(), state: z.string() })
export type DeletionAccepted = z.infer<typeof DeletionAccepted>
