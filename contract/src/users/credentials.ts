import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ById, Id } from '../http/primitives.ts'
import { requiredActions, userLimits } from './rules.ts'

const endpoint = endpointsOf('iam')

export const Credential = z.object({
  id: z.string(),
  /** `password`, `otp` or another type of Keycloak's. */
  type: z.string(),
  label: z.string().nullable(),
  createdAt: z.string().nullable(),
})
export type Credential = z.infer<typeof Credential>

export const UserSession = z.object({
  id: z.string(),
  ipAddress: z.string().nullable(),
  startedAt: z.string(),
  lastAccessAt: z.string(),
  clients: z.array(z.string()),
})
export type UserSession = z.infer<typeof UserSession>

export const Consent = z.object({ clientId: z.string(), scopes: z.array(z.string()), grantedAt: z.string().nullable() })
export type Consent = z.infer<typeof Consent>

/** An identity provider by which somebody can sign in. */
export const LinkedIdentity = z.object({
  /** The provider's id. */
  id: z.string(),
  name: z.string(),
  /** The user's name there. */
  username: z.string(),
})
export type LinkedIdentity = z.infer<typeof LinkedIdentity>

const Realm = z.string().min(1).max(255)
const InRealm = ById.extend({ realm: Realm })

const NewPassword = z.strictObject({
  type: z.literal('password').default('password'),
  value: z.string().min(1, 'Password required').max(userLimits.password, `at most ${userLimits.password} characters`),
  temporary: z.boolean().default(true).describe('to be changed at the next sign-in'),
})
const CredentialTypes = z
  .array(z.enum(['password', 'otp']))
  .min(1)
  .max(2)
const Actions = z.array(z.enum(requiredActions)).min(1).max(requiredActions.length)

const reset = {
  summary: 'Set a password; all sessions of the person end, and so do passkeys and links to identity providers',
  body: NewPassword,
  status: 204,
}
const disable = { summary: 'Remove the credentials of these types', body: CredentialTypes, status: 204 }
const mail = { summary: 'Mail a link by which the person does these actions', body: Actions, status: 204 }

/** How people sign in, where they are signed in, and to which clients they have consented. */
export const credentials = {
  listCredentials: endpoint('GET', '/v2/users/:id/credentials', {
    summary: 'The credentials of a user, without their secrets',
    params: ById,
    reply: z.object({ data: z.array(Credential) }),
  }),
  deleteCredential: endpoint('DELETE', '/v2/users/:id/credentials/:cid', {
    summary: 'Delete a credential, such as a second factor',
    params: ById.extend({ cid: Id }),
    status: 204,
  }),
  listLinks: endpoint('GET', '/v3/users/:id/identities', {
    summary: 'Identity providers by which a user can sign in',
    params: ById,
    reply: z.object({ data: z.array(LinkedIdentity) }),
  }),
  removeLink: endpoint('DELETE', '/v3/users/:id/identities/:provider', {
    summary: 'Let a user sign in by an identity provider no longer; all sessions of the person end',
    params: ById.extend({ provider: Id }),
    status: 204,
  }),
  resetPassword: endpoint('PUT', '/v2/users/:id/reset-password', { ...reset, params: ById }),
  resetPasswordIn: endpoint('PUT', '/v2/users/:id/reset-password/realm/:realm', { ...reset, params: InRealm }),
  disableCredentials: endpoint('PUT', '/v2/users/:id/disable-credential-types', { ...disable, params: ById }),
  disableCredentialsIn: endpoint('PUT', '/v2/users/:id/disable-credential-types/realm/:realm', {
    ...disable,
    params: InRealm,
  }),
  mailActions: endpoint('PUT', '/v2/users/:id/execute-actions-email', { ...mail, params: ById }),
  mailActionsIn: endpoint('PUT', '/v2/users/:id/execute-actions-email/realm/:realm', { ...mail, params: InRealm }),
  listSessions: endpoint('GET', '/v3/users/:id/sessions', {
    summary: 'Where a user is signed in',
    params: ById,
    reply: z.object({ data: z.array(UserSession) }),
  }),
  endSessions: endpoint('DELETE', '/v3/users/:id/sessions', {
    summary: 'Sign a user out everywhere',
    params: ById,
    status: 204,
  }),
  listConsents: endpoint('GET', '/v3/users/:id/consents', {
    summary: 'Clients that a user has consented to',
    params: ById,
    reply: z.object({ data: z.array(Consent) }),
  }),
}
