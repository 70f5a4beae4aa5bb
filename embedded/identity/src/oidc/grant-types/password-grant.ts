import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { forgiveAttempts } from '../../attack-detection/login-attempts.ts'
import { findClient } from '../../directory/clients.ts'
import { passwordExpired, passwordOf } from '../../directory/credentials.ts'
import type { Realm } from '../../directory/realms.ts'
import { endSession, wasEndedSince } from '../../directory/sessions.ts'
import type { User } from '../../directory/users.ts'
import { clientAddress } from '../../http/client-address.ts'
import { checkPassword } from '../../sign-in/check-password.ts'
import { timeNow } from '../../sign-in/progress.ts'
import { dueActions, nextRequiredAction } from '../../sign-in/required-actions.ts'
import { otpProblem } from '../../sign-in/steps.ts'
import type { Db } from '../../storage/database.ts'
import { profileClaims } from '../claims.ts'
import { PASSWORD_GRANT } from '../client-metadata.ts'
import { checkScopes, scopesOf } from '../scopes.ts'
import { issueTokens, startSession } from './issue-tokens.ts'

const text = (value: unknown) => (typeof value === 'string' ? value : '')

function refuse(description: string, status: 400 | 401): never {
  throw Object.assign(new errors.InvalidGrant(description), {
    status,
    statusCode: status,
    error_description: description,
  })
}

/** Somebody who has to do something first is sent to the pages where they can. */
async function refuseUnready(db: Db, realm: Realm, user: User): Promise<void> {
  const stored = await passwordOf(db, user.id)
  const isOld = stored !== undefined && passwordExpired(realm.settings.passwordPolicy, stored, Date.now())
  if (isOld || nextRequiredAction(dueActions(realm, user))) refuse('Account is not fully set up', 400)
}

/** The person whose password, and code where they have a second factor, came with the request. */
async function identify(ctx: KoaContextWithOIDC, db: Db, realm: Realm): Promise<User> {
  const { params, client } = ctx.oidc
  const ip = clientAddress(ctx.req)
  const attempt = { username: text(params?.username), password: text(params?.password), ip }
  const verdict = await checkPassword(db, realm, { ...attempt, clientId: client?.clientId ?? '' })
  // A locked account is told from a wrong password by the page alone, as in Keycloak.
  if ('problem' in verdict) refuse('Invalid user credentials', 401)
  const { user } = verdict
  const code = text(params?.otp ?? params?.totp)
  if (user.has_otp && (await otpProblem(db, realm, { user, code, ip })) !== undefined)
    refuse('Invalid user credentials', 401)
  await refuseUnready(db, realm, user)
  await forgiveAttempts(db, realm.id, user.id, ip)
  return user
}

async function answer(ctx: KoaContextWithOIDC, db: Db, realm: Realm): Promise<void> {
  const { params } = ctx.oidc
  const client = await findClient(db, realm.id, ctx.oidc.client?.clientId ?? '')
  if (!client) throw new errors.InvalidClient('client not found')
  checkScopes(params?.scope, scopesOf(client))
  const since = await timeNow(db)
  const user = await identify(ctx, db, realm)
  const claims = () => ({ sub: user.id, ...profileClaims(user) })
  const signedIn = {
    account: { accountId: user.id, claims },
    scope: text(params?.scope) || 'profile email',
    at: Math.floor(since),
    amr: user.has_otp ? ['pwd', 'otp'] : ['pwd'],
  }
  const session = await startSession(ctx, signedIn, realm.settings.ssoSessionMaxLifespan)
  if (await wasEndedSince(db, user.id, since)) {
    await endSession(db, realm.id, session.sessionUid)
    refuse('Invalid user credentials', 401)
  }
  await issueTokens(ctx, signedIn, session)
}

/** Lets a client that has it switched on send a name and a password itself (RFC 6749, section 4.3). */
export function registerPasswordGrant(provider: Provider, db: Db, realm: Realm): void {
  const params = ['username', 'password', 'otp', 'totp', 'scope']
  provider.registerGrantType(PASSWORD_GRANT, (ctx) => answer(ctx, db, realm), params)
}
