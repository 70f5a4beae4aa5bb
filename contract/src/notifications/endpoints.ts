import { z } from 'zod'
import { ActionKind } from '../deployments/endpoints.ts'
import { endpointsOf } from '../http/endpoint.ts'
import { Id } from '../http/primitives.ts'
import { maxNotices, noticeKinds } from './rules.ts'

const endpoint = endpointsOf('im')

/** Something that the signed-in user was told, as long as they may see what it is about. */
export const Notice = z.object({
  id: z.string(),
  kind: z.enum(noticeKinds),
  at: z.string(),
  isRead: z.boolean(),
  /** The action that failed, the app, or the token. */
  about: z.object({ id: z.string(), name: z.string() }),
  /** Null for what lies in no space. */
  space: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** The kind of the action that failed. */
  action: ActionKind.nullable(),
  /** The reason as the portal or the cluster gave it. */
  says: z.string().nullable(),
  /** The end of what expires. */
  until: z.string().nullable(),
})
export type Notice = z.infer<typeof Notice>

const ByNotice = z.object({ id: Id })

/** Kinds that somebody wants to be told of. */
export const Subscriptions = z.strictObject({
  'action-failed': z.boolean(),
  'app-unhealthy': z.boolean(),
  'app-healthy': z.boolean(),
  'token-expiring': z.boolean(),
})
export type Subscriptions = z.infer<typeof Subscriptions>

export const notifications = {
  listNotices: endpoint('GET', '/v1/notifications', {
    summary: `What the signed-in user was told within thirty days, the newest first, at most ${maxNotices}`,
    reply: z.object({ data: z.array(Notice), unread: z.number() }),
  }),
  markNotice: endpoint('PATCH', '/v1/notifications/:id', {
    summary: 'Mark something that the signed-in user was told as read or unread',
    params: ByNotice,
    body: z.strictObject({ isRead: z.boolean() }),
    status: 204,
  }),
  readNotices: endpoint('POST', '/v1/notifications/read', {
    summary: 'Mark everything that the signed-in user was told as read',
    status: 204,
  }),
  subscriptions: endpoint('GET', '/v1/subscriptions', {
    summary: 'What the signed-in user wants to be told',
    reply: Subscriptions,
  }),
  setSubscriptions: endpoint('PUT', '/v1/subscriptions', {
    summary: 'Choose what the signed-in user is told',
    body: Subscriptions,
    reply: Subscriptions,
  }),
}
