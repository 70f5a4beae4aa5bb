import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ById } from '../http/primitives.ts'
import { Consent, Credential, LinkedIdentity } from '../users/credentials.ts'
import { UserChange } from '../users/endpoints.ts'

const endpoint = endpointsOf('iam')

export const Account = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  realm: z.string(),
  realmRoles: z.array(z.string()),
  resourceRoles: z.record(z.string(), z.array(z.string())),
  groups: z.array(z.string()),
})
export type Account = z.infer<typeof Account>

export const Session = z.object({
  id: z.string(),
  ipAddress: z.string().nullable(),
  startedAt: z.string(),
  lastAccessAt: z.string(),
  clients: z.array(z.string()),
  current: z.boolean(),
})

/** Something that happened with the account, as the identity server has kept it. */
export const Activity = z.object({
  at: z.string(),
  /** Name of the event as Keycloak has it, such as `LOGIN`. */
  type: z.string(),
  ipAddress: z.string().nullable(),
  client: z.string().nullable(),
  /** The identity server's word for what went wrong; null where nothing did. */
  error: z.string().nullable(),
})
export type Activity = z.infer<typeof Activity>

/** A field that is left out stays as it is. */
const ProfileChange = UserChange.pick({ email: true, firstName: true, lastName: true })

/** The embedded identity server draws ids from an alphabet with `-` and `_`, which may come first. */
const BySession = z.object({ id: z.string().regex(/^[\w-]{1,64}$/, 'not an id') })
const ByClient = z.object({ id: z.string().min(1).max(255).describe('client id') })
const newPassword = {
  summary: 'Ask for a new password at the next sign-in, which needs the old one; all sessions end',
  status: 204,
}

export const account = {
  account: endpoint('GET', '/v2/account', { summary: 'The signed-in user', reply: Account }),
  accountSessions: endpoint('GET', '/v2/account/sessions', {
    summary: 'Sessions of the signed-in user',
    reply: z.object({ data: z.array(Session) }),
  }),
  logout: endpoint('POST', '/v2/account/logout', { summary: 'End all sessions of the signed-in user', status: 204 }),
  updateAccount: endpoint('PUT', '/v2/account', {
    summary: 'Change names of the signed-in user; an address that differs is refused, as it is changed at the sign-in',
    body: ProfileChange,
    reply: Account,
  }),
  resetPassword: endpoint('PUT', '/v2/account/resetpassword', newPassword),
  resetMyPassword: endpoint('PUT', '/v2/account/resetmypassword', newPassword),
  setUpSecondFactor: endpoint('POST', '/v3/account/second-factor', {
    summary: 'Set up a second factor at the next sign-in; all sessions end',
    status: 204,
  }),
  changeEmail: endpoint('POST', '/v3/account/email', {
    summary: 'Change the e-mail address at the next sign-in, after the password; all sessions end',
    status: 204,
  }),
  setUpPasskey: endpoint('POST', '/v3/account/passkey', {
    summary: 'Set up a passkey at the next sign-in; all sessions end',
    status: 204,
  }),
  removePasskey: endpoint('DELETE', '/v3/account/credentials/:id', {
    summary: 'Remove a passkey of the signed-in user; other ways to sign in are changed at the sign-in',
    params: ById,
    status: 204,
  }),
  accountCredentials: endpoint('GET', '/v3/account/credentials', {
    summary: 'How the signed-in user signs in, without secrets',
    reply: z.object({ data: z.array(Credential) }),
  }),
  linkedIdentities: endpoint('GET', '/v3/account/identities', {
    summary: 'Identity providers by which the signed-in user can sign in',
    reply: z.object({ data: z.array(LinkedIdentity) }),
  }),
  unlinkIdentity: endpoint('DELETE', '/v3/account/identities/:id', {
    summary: 'Sign in by an identity provider no longer; refused while there is no other way in',
    params: ById,
    status: 204,
  }),
  accountSession: endpoint('GET', '/v2/account/sessions/:id', {
    summary: 'One session of the signed-in user',
    params: BySession,
    reply: Session,
  }),
  endSession: endpoint('DELETE', '/v3/account/sessions/:id', {
    summary: 'End one session of the signed-in user',
    params: BySession,
    status: 204,
  }),
  activities: endpoint('GET', '/v2/account/activities', {
    summary: 'What happened with the account of the signed-in user, newest first (at most 100)',
    reply: z.object({ data: z.array(Activity), kept: z.boolean().describe('whether the identity server keeps them') }),
  }),
  accountConsents: endpoint('GET', '/v3/account/consents', {
    summary: 'Clients that the signed-in user has consented to',
    reply: z.object({ data: z.array(Consent) }),
  }),
  accountConsent: endpoint('GET', '/v2/account/consents/:id', {
    summary: 'The consent of the signed-in user to one client',
    params: ByClient,
    reply: Consent,
  }),
  revokeConsent: endpoint('DELETE', '/v2/account/consent/:id', {
    summary: 'Take the consent to a client back; its tokens end',
    params: ByClient,
    status: 204,
  }),
}
