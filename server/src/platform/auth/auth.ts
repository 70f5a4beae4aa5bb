import { createHash } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Config } from '../config/config.ts'
import { fail } from '../http/errors.ts'
import { type Actor, hasSameRights } from './actor.ts'
import type { PersonalTokens } from './personal-tokens/personal-token.ts'
import { createTokenActors } from './personal-tokens/token-actors.ts'
import { isPersonal } from './personal-tokens/token-text.ts'
import { type RoleClaims, rolesSaid } from './role-claims.ts'
import type { StandingOf, TokenClient, VerifiedToken } from './standing.ts'

interface TenantOfRealm {
  id: string
  identifier: string
}

/**
 * Turns a bearer token into an actor. The token is verified once; what its owner holds, and whether it still counts, is
 * asked of the identity server again and again.
 */
export interface Auth {
  actorOf(token: string, maxAgeMs?: number): Promise<Actor>
  /**
   * The same with nothing but what the identity server says after this call: for handing out rights. Refuses personal
   * tokens: who hands something out is signed in.
   */
  actorNow(token: string): Promise<Actor>
  /**
   * The permissions in a permission token of the caller, as ids of resources and names of scopes. The token counts for
   * one call only: it must be new, of the same person and of the same client.
   */
  permissionsOf(actor: Actor, token: string): Promise<readonly Permission[]>
  /** Tells whether the token names other roles than its owner holds: they were given or taken after it was issued. */
  isOutdated(actor: Actor): boolean
  /** Tells whether the token was verified before and has not expired. */
  knows(token: string): boolean
  /** Forgets what is remembered of a user, so that the next call asks anew. */
  forget(userId: string): void
  /** Called when the identity server no longer stands behind a token that has not expired yet. */
  onRevoked(listener: (token: string) => void): void
}

interface Permission {
  rsid?: string
  rsname?: string
  scopes?: readonly string[]
}

/** Short, because a permission token still holds rights that were revoked after it was issued. */
const permissionMaxAge = '5s'
const remembered = 10_000
const audience = 'quayside-api'
const algorithms = ['RS256', 'ES256', 'PS256']
const keyOf = (token: string) => createHash('sha256').update(token).digest('base64')

interface Verified extends VerifiedToken {
  tenant: TenantOfRealm
  claims: Claims
  expiresAt: number
  /** The actor as it was last, which stays the same object while nothing about it changes. */
  actor?: Actor
}

export function createAuth(
  config: Config['keycloak'] & {
    /** Tells whether tokens of this client may be used here; what people made for their scripts is told by its mark. */
    trusts(clientId: string): boolean
  },
  directory: {
    tenantOfRealm(realm: string): Promise<TenantOfRealm | undefined>
    standing: Pick<StandingOf, 'of' | 'ofToken' | 'readTokenNow' | 'forget' | 'onRevoked'>
    personalTokens: PersonalTokens
  },
): Auth {
  const { standing, personalTokens } = directory
  const actorOfPersonal = createTokenActors(personalTokens, standing)
  const keysOf = createKeySets(config.url)

  async function verify(token: string): Promise<Verified> {
    const realm = realmOf(token, config.publicUrl)
    const tenant = await directory.tenantOfRealm(realm)
    if (!tenant) throw fail('auth.invalid')
    const { payload } = await jwtVerify<Claims>(token, keysOf(realm), {
      issuer: `${config.publicUrl}/realms/${realm}`,
      audience,
      algorithms,
      clockTolerance: 30,
      requiredClaims: ['exp', 'sub', 'azp'],
    })
    // An identity token says who somebody is, a permission token what was granted once: neither is a way in.
    if (payload.typ !== 'Bearer' || payload.authorization !== undefined) throw fail('auth.invalid')
    const { sub: userId, azp: clientId } = payload
    return { realm, tenant, userId, clientId, token, claims: payload, expiresAt: Number(payload.exp) }
  }

  const verified = rememberVerified(verify)

  async function actor(way: 'ofToken' | 'readTokenNow', token: string, maxAge?: number): Promise<Actor> {
    const known = await verified.of(token)
    const { realm, userId, clientId } = known
    const now = await standing[way]({ realm, userId, clientId, token }, maxAge)
    if (!now) throw fail('auth.expired')
    if (!isTrusted(clientId, now.client)) throw fail('auth.invalid')
    if (!known.actor || !hasSameRights(known.actor, now)) known.actor = toActor(known, now)
    return known.actor
  }

  async function permissionsOf(actor: Actor, token: string): Promise<readonly Permission[]> {
    const { payload } = await jwtVerify<Claims>(token, keysOf(actor.realm), {
      issuer: `${config.publicUrl}/realms/${actor.realm}`,
      audience,
      subject: actor.userId,
      algorithms,
      maxTokenAge: permissionMaxAge,
      requiredClaims: ['exp', 'iat', 'azp'],
    }).catch((error: unknown) => {
      throw toFailure(error)
    })
    const { typ, azp, authorization } = payload
    if (typ !== 'Bearer' || azp !== actor.clientId || !authorization) throw fail('auth.invalid')
    return authorization.permissions ?? []
  }

  const isTrusted = (clientId: string, client: TokenClient) => client.isScript || config.trusts(clientId)

  return {
    onRevoked: standing.onRevoked,
    actorOf: (token, maxAge) => (isPersonal(token) ? actorOfPersonal(token) : actor('ofToken', token, maxAge)),
    async actorNow(token) {
      if (isPersonal(token)) throw fail('auth.token-limits')
      return actor('readTokenNow', token)
    },
    permissionsOf,
    isOutdated: (actor) => verified.namesOtherRoles(actor),
    knows: (token) => (isPersonal(token) ? personalTokens.knows(token) : verified.knows(token)),
    forget: standing.forget,
  }
}

/** Tokens are verified once, and remembered with what they said. */
function rememberVerified(verify: (token: string) => Promise<Verified>) {
  const verified = new Map<string, Verified>()

  async function of(token: string): Promise<Verified> {
    const key = keyOf(token)
    let known = verified.get(key)
    if (!known) {
      known = await verify(token).catch((error: unknown) => {
        throw toFailure(error)
      })
      if (verified.size >= remembered) verified.delete(verified.keys().next().value as string)
      verified.set(key, known)
    }
    // The tolerance is for clocks that differ when a token is new, not a longer life.
    if (known.expiresAt * 1000 <= Date.now()) throw fail('auth.expired')
    return known
  }

  const knows = (token: string) => (verified.get(keyOf(token))?.expiresAt ?? 0) * 1000 > Date.now()

  function namesOtherRoles(actor: Actor): boolean {
    const claims = verified.get(keyOf(actor.token))?.claims
    // A realm may keep roles out of its tokens, which then say nothing about them.
    if (!claims?.realm_access && !claims?.resource_access) return false
    return !hasSameRights({ ...rolesSaid(claims), groupIds: actor.groupIds }, actor)
  }

  return { of, knows, namesOtherRoles }
}

/** Keys that realms sign with, fetched again when a token names one that is not known. */
function createKeySets(keycloakUrl: string) {
  const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()

  return (realm: string) => {
    const known = keySets.get(realm)
    if (known) return known
    const url = new URL(`${keycloakUrl}/realms/${encodeURIComponent(realm)}/protocol/openid-connect/certs`)
    const keys = createRemoteJWKSet(url, { cooldownDuration: 30_000, timeoutDuration: 3000 })
    keySets.set(realm, keys)
    return keys
  }
}

function realmOf(token: string, publicUrl: string): string {
  let issuer: string | undefined
  try {
    issuer = decodeJwt(token).iss
  } catch (error) {
    throw fail('auth.invalid', { cause: error })
  }
  const prefix = `${publicUrl}/realms/`
  const realm = issuer?.startsWith(prefix) ? issuer.slice(prefix.length) : ''
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/.test(realm)) throw fail('auth.invalid')
  return realm
}

function toFailure(error: unknown) {
  if (error instanceof errors.JWTExpired) return fail('auth.expired', { cause: error })
  if (error instanceof errors.JWKSTimeout) return fail('iam.unreachable', { cause: error })
  if (error instanceof errors.JOSEError) return fail('auth.invalid', { cause: error })
  if (error instanceof TypeError && error.message.includes('fetch')) return fail('iam.unreachable', { cause: error })
  return error
}

interface Claims extends JWTPayload, RoleClaims {
  sub: string
  azp: string
  typ?: string
  scope?: string
  preferred_username?: string
  email?: string
  authorization?: { permissions?: readonly Permission[] }
}

function toActor(
  { tenant, claims, ...token }: Verified,
  now: Pick<Actor, 'realmRoles' | 'resourceRoles' | 'groupIds'>,
): Actor {
  return {
    userId: token.userId,
    username: claims.preferred_username ?? token.userId,
    email: claims.email ?? null,
    tenantId: tenant.id,
    tenantIdentifier: tenant.identifier,
    realm: token.realm,
    clientId: token.clientId,
    realmRoles: now.realmRoles,
    resourceRoles: now.resourceRoles,
    groupIds: now.groupIds,
    scopes: new Set((claims.scope ?? '').split(' ')),
    expiresAt: token.expiresAt,
    token: token.token,
  }
}
