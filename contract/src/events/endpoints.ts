import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { longestExpiration } from './rules.ts'

const endpoint = endpointsOf('iam')

const Who = z.object({ id: z.string(), username: z.string().nullable() })

/** Something that somebody did to sign in, or with their own account. */
export const SignInEvent = z.object({
  id: z.string(),
  at: z.string(),
  /** Keycloak's name: LOGIN, LOGIN_ERROR, UPDATE_PASSWORD and so on. */
  type: z.string(),
  /** Keycloak's word for what went wrong; null when nothing did. */
  error: z.string().nullable(),
  user: Who.nullable(),
  client: z.string().nullable(),
  ipAddress: z.string().nullable(),
  details: z.record(z.string(), z.string()),
})
export type SignInEvent = z.infer<typeof SignInEvent>

/** Something that was changed by the identity server's Admin API. */
export const AdminEvent = z.object({
  id: z.string(),
  at: z.string(),
  operation: z.enum(['CREATE', 'UPDATE', 'DELETE', 'ACTION']),
  resourceType: z.string(),
  resourcePath: z.string(),
  error: z.string().nullable(),
  /** The person; null where the identity server only knows the client. */
  user: Who.nullable(),
  client: z.string().nullable(),
  ipAddress: z.string().nullable(),
})
export type AdminEvent = z.infer<typeof AdminEvent>

/** Events that are kept, and for how long in seconds; 0 is for good. */
export const EventSettings = z.object({
  eventsEnabled: z.boolean(),
  eventsExpiration: z.number(),
  adminEventsEnabled: z.boolean(),
  adminEventsDetailsEnabled: z.boolean(),
  adminEventsExpiration: z.number(),
})
export type EventSettings = z.infer<typeof EventSettings>

const Expiration = z.number().int().min(0).max(longestExpiration)
const EventSettingsInput = z.strictObject({
  ...EventSettings.shape,
  eventsExpiration: Expiration,
  adminEventsExpiration: Expiration,
})

const ofPages = 'the newest first, paged; the total counts what follows as one, as the identity server counts nothing'

/** Events of the realm as the identity server keeps them, and which it keeps. */
export const events = {
  findEvents: endpoint('GET', '/v3/events', {
    summary: `Sign-ins and what people did with their accounts, ${ofPages}; filters: type, user (id), client, ipAddress, from, to`,
    query: ListQuery,
    reply: listOf(SignInEvent),
  }),
  findAdminEvents: endpoint('GET', '/v3/admin-events', {
    summary: `Changes of the realm, its people and clients, ${ofPages}; filters: operation, resourceType, user (id), from, to`,
    query: ListQuery,
    reply: listOf(AdminEvent),
  }),
  eventSettings: endpoint('GET', '/v3/events/settings', { summary: 'Which events are kept', reply: EventSettings }),
  setEventSettings: endpoint('PUT', '/v3/events/settings', {
    summary: 'Set which events are kept, and for how long',
    body: EventSettingsInput,
    reply: EventSettings,
  }),
}
