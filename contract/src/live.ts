import { z } from 'zod'
import { MessageLevel, MessageType, type ResultLine } from './deployment.ts'

export const RegisterRequest = z.union([
  z.string().min(1).max(53),
  z.object({
    releaseName: z.string().min(1).max(53),
    lastSeq: z.number().int().min(0).default(0),
    actionId: z.string().max(64).optional(),
  }),
])
export type RegisterReply =
  | { ok: true; actionId: string | null; lastSeq: number }
  | { ok: false; code: string; message: string }

export const Topic = z.object({
  topic: z.enum([
    'app',
    'apps',
    'clusters',
    'cluster',
    'actions',
    'catalog',
    'spaces',
    'menu',
    'requests',
    'approvals',
  ]),
  id: z.string().max(64).optional(),
})
export type Topic = z.infer<typeof Topic>

/** Fields that every event of an action has besides its own. */
export interface Stamp {
  seq: number
  at: string
  actionId: string
  releaseName: string | null
}
export const ProgressMessage = z.object({ type: MessageType, message: z.string(), level: MessageLevel })
export type ProgressMessage = z.infer<typeof ProgressMessage>

/**
 * Objects that a running Helm waits for, from the portal's own watch; those not ready come first. The events have no
 * number, because only the newest counts.
 */
export interface Waiting {
  actionId: string
  releaseName: string
  ready: number
  total: number
  objects: { kind: string; name: string; ready: boolean; detail: string; lastEvent: string | null }[]
}
export type { ResultLine }
