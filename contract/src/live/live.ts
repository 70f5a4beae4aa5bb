import { z } from 'zod'
import type { TopicName } from '../capabilities.ts'
import { Id } from '../http/primitives.ts'

const ReleaseName = z
  .string()
  .max(53)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u)
export const RegisterRequest = z.union([
  ReleaseName,
  z.object({
    releaseName: ReleaseName,
    lastSeq: z.number().int().min(0).default(0),
    actionId: Id.optional(),
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
