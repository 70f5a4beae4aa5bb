import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById } from '../http/primitives.ts'
import { SpaceRoleId } from './permission-entry.ts'

const endpoint = endpointsOf('portal-api')

export const AccessRequest = z.object({
  id: z.string(),
  /** Null: the request is for a role of the tenant. */
  space: z.object({ id: z.string(), displayName: z.string() }).nullable(),
  person: z.object({ id: z.string(), name: z.string(), username: z.string() }),
  /** A role in the space, or a role of the tenant as `section:role`. */
  role: z.object({ id: z.string(), name: z.string() }),
  reason: z.string(),
  /** For how long, counted from the answer; null: until somebody takes it back. */
  hours: z.number().nullable(),
  state: z.enum(['open', 'granted', 'declined']),
  /** User name of the person who answered. */
  answeredBy: z.string().nullable(),
  /** Display name of the same person. */
  answeredByName: z.string().nullable(),
  note: z.string().nullable(),
  createdAt: z.string(),
  answeredAt: z.string().nullable(),
})
export type AccessRequest = z.infer<typeof AccessRequest>

export const Hours = z.number().int().min(1, 'at least an hour').max(8760, 'at most a year').nullable()

export const Reason = z
  .string()
  .trim()
  .min(1, 'Reason required')
  .max(longest.note, `at most ${longest.note} characters`)
export const Note = z.string().trim().max(longest.note, `at most ${longest.note} characters`).default('')

export const AccessRequestInput = z.strictObject({
  role: SpaceRoleId,
  reason: Reason,
  hours: Hours,
})
export type AccessRequestInput = z.infer<typeof AccessRequestInput>

export const AccessAnswer = z.strictObject({
  decision: z.enum(['grant', 'decline']),
  note: Note,
  /** For a grant: a different role than the one requested. */
  role: SpaceRoleId.optional(),
  /** For a grant: a different duration than requested, counted from the answer; null: until somebody takes it back. */
  hours: Hours.optional(),
})
export type AccessAnswer = z.infer<typeof AccessAnswer>

/** How many requests of one person wait for an answer at most. */
export const mostOpenRequests = 20

/** Asking for a role in a space, and answering. */
export const accessRequests = {
  requestAccess: endpoint('POST', '/v3/spaces/:id/access-requests', {
    summary: 'Ask for a role in a space',
    params: ById,
    body: AccessRequestInput,
    reply: AccessRequest,
    status: 201,
  }),
  listMyRequests: endpoint('GET', '/v3/access-requests/mine', {
    summary: 'What the caller has asked for, in spaces and of the tenant, newest first',
    query: ListQuery,
    reply: listOf(AccessRequest),
  }),
  listRequests: endpoint('GET', '/v3/access-requests', {
    summary: 'Open requests for roles in spaces that the caller may answer, oldest first; filters: spaceId',
    query: ListQuery,
    reply: listOf(AccessRequest),
  }),
  answerRequest: endpoint('POST', '/v3/access-requests/:id/answer', {
    summary: 'Grant or decline a request for a role in a space',
    params: ById,
    body: AccessAnswer,
    reply: AccessRequest,
  }),
  withdrawRequest: endpoint('DELETE', '/v3/access-requests/:id', {
    summary: 'Take an own request back that nobody has answered',
    params: ById,
    status: 204,
  }),
}
