import { z } from 'zod'
import type { TopicName } from '../capabilities.ts'

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

/** A subject of `changed` notes; with an id, one thing of it. */
export interface Topic {
  topic: TopicName
  id?: string | undefined
}

/** Fields that every event of an action has besides its own. */
export interface Stamp {
  seq: number
  at: string
  actionId: string
  releaseName: string | null
}
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
