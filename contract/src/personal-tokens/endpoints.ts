import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ById, Id, nameOf } from '../http/primitives.ts'
import { tokenLimits } from './limits.ts'

const endpoint = endpointsOf('iam')

/** A token that somebody has made for their scripts, without its secret. */
export const PersonalToken = z.object({
  id: z.string(),
  name: z.string(),
  readOnly: z.boolean(),
  /** Spaces that it is limited to; null: it is not limited to spaces. The name is null where the caller does not see the space. */
  spaces: z.array(z.object({ id: z.string(), name: z.string().nullable() })).nullable(),
  createdAt: z.string(),
  expiresAt: z.string(),
  /** To the minute; null: it was never used. */
  lastUsedAt: z.string().nullable(),
})
export type PersonalToken = z.infer<typeof PersonalToken>

const PersonalTokenInput = z.strictObject({
  name: nameOf(tokenLimits.name),
  days: z.number().int().min(1).max(tokenLimits.days).describe('days until it expires, up to the limit of the tenant'),
  readOnly: z.boolean().default(false).describe('only calls that change nothing'),
  spaceIds: z
    .array(Id)
    .min(1)
    .max(tokenLimits.spaces)
    .nullable()
    .default(null)
    .describe('only what lies in these spaces, and the catalog'),
})

export const PersonalTokenSettings = z.strictObject({
  enabled: z.boolean().describe('when off, no personal token counts'),
  longestDays: z.number().int().min(1).max(tokenLimits.days).describe('counted from when a token was made'),
})
export type PersonalTokenSettings = z.infer<typeof PersonalTokenSettings>

const Listed = z.object({ data: z.array(PersonalToken) })

export const personalTokens = {
  listTokens: endpoint('GET', '/v3/account/tokens', {
    summary: 'Personal tokens of the signed-in user; expired ones for thirty days',
    reply: Listed.extend({ settings: PersonalTokenSettings }),
  }),
  createToken: endpoint('POST', '/v3/account/tokens', {
    summary: 'Make a personal token; its secret is shown this once',
    body: PersonalTokenInput,
    status: 201,
    reply: PersonalToken.extend({ secret: z.string() }),
  }),
  deleteToken: endpoint('DELETE', '/v3/account/tokens/:id', {
    summary: 'Delete a personal token of the signed-in user; it stops within five seconds',
    params: ById,
    status: 204,
  }),
  listTokensOf: endpoint('GET', '/v3/users/:id/tokens', {
    summary: 'Personal tokens of a user; expired ones for thirty days',
    params: ById,
    reply: Listed,
  }),
  deleteTokenOf: endpoint('DELETE', '/v3/users/:id/tokens/:tid', {
    summary: 'Delete a personal token of a user; it stops within five seconds',
    params: ById.extend({ tid: Id }),
    status: 204,
  }),
  tokenSettings: endpoint('GET', '/v3/personal-tokens/settings', {
    summary: 'Whether people may have personal tokens, and for how long at most',
    reply: PersonalTokenSettings,
  }),
  setTokenSettings: endpoint('PUT', '/v3/personal-tokens/settings', {
    summary:
      'Switch personal tokens off or on, or set their longest life; a shorter one ends tokens that are older for good',
    body: PersonalTokenSettings,
    reply: PersonalTokenSettings,
  }),
}
