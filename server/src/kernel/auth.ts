import { createHash } from 'node:crypto'
import { createRemoteJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Actor } from './actor.ts'
import type { Config } from './config.ts'
import { fail } from './errors.ts'

export interface TenantOfRealm {
  id: string
  identifier: string
}

/** Turns a bearer token into an actor. A token is verified once and remembered until it expires. */
export interface Auth {
  actorOf(token: string): Promise<Actor>
  /** Forgets what is remembered of a user, so that the next call verifies anew. */
  forget(userId: string): void
  /** Called when the identity server no longer stands behind a token that has not expired yet. */
  onRevoked(listener: (token: string) => void): void
}

const remembered = 5000
/** A token that is in use is asked about again this often, so that a sign-out ends it everywhere. */
const recheckMs = 4000
const audience = 'quayside-api'

export function createAuth(
  config: Config['keycloak'],
  directory: {
    tenantOfRealm(realm: string): Promise<TenantOfRealm | undefined>
    /** Ids of the groups of a user, and of every group above them. */
    groupIdsOf(realm: string, userId: string): Promise<ReadonlySet<string>>
  },
): Auth {
  const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>()
  const actors = new Map<string, Actor>()
  const checkedAt = new Map<string, number>()
  const revoked = new Map<string, number>()
  const revocations = new Set<(token: string) => void>()

  function keysOf(realm: string) {
    const known = keySets.get(realm)
    if (known) return known
    const url = new URL(`${config.url}/realms/${encodeURIComponent(realm)}/protocol/openid-connect/certs`)
    const keys = createRemoteJWKSet(url, { cooldownDuration: 30_000, timeoutDuration: 3000 })
    keySets.set(realm, keys)
    return keys
  }

  async function verify(token: string): Promise<Actor> {
    const realm = realmOf(token, config.publicUrl)
    const tenant = await directory.tenantOfRealm(realm)
    if (!tenant) throw fail('auth.invalid')
    const { payload } = await jwtVerify(token, keysOf(realm), {
      issuer: `${config.publicUrl}/realms/${realm}`,
      audience,
      algorithms: ['RS256', 'ES256', 'PS256'],
      clockTolerance: 30,
      requiredClaims: ['exp', 'sub'],
    })
    const groupIds = await directory.groupIdsOf(realm, String(payload.sub))
    return { ...toActor(payload, token, realm, tenant), groupIds }
  }

  /**
   * Asks the identity server whether a token still counts, beside the call that carries it. Only tokens that may ask
   * about their user can be asked about; when the server cannot be reached, what was verified holds until it expires.
   */
  function recheck(key: string, actor: Actor): void {
    if (!actor.scopes.has('openid') || Date.now() - (checkedAt.get(key) ?? 0) < recheckMs) return
    checkedAt.set(key, Date.now())
    const url = `${config.url}/realms/${actor.realm}/protocol/openid-connect/userinfo`
    fetch(url, { headers: { authorization: `Bearer ${actor.token}` }, signal: AbortSignal.timeout(3000) })
      .then((answer) => {
        if (answer.status !== 401) return
        actors.delete(key)
        revoked.set(key, actor.expiresAt)
        for (const listener of revocations) listener(actor.token)
      })
      .catch(() => undefined)
  }

  function tidy(): void {
    if (actors.size >= remembered) actors.delete(actors.keys().next().value as string)
    const now = Date.now() / 1000
    for (const [key, expiresAt] of revoked) if (expiresAt < now) revoked.delete(key)
    for (const key of checkedAt.keys()) if (!actors.has(key)) checkedAt.delete(key)
  }

  return {
    onRevoked: (listener) => revocations.add(listener),
    async actorOf(token) {
      const key = createHash('sha256').update(token).digest('base64')
      if (revoked.has(key)) throw fail('auth.expired')
      const known = actors.get(key)
      if (known) {
        if (known.expiresAt * 1000 > Date.now()) {
          recheck(key, known)
          return known
        }
        actors.delete(key)
        throw fail('auth.expired')
      }
      const actor = await verify(token).catch((error: unknown) => {
        throw toFailure(error)
      })
      tidy()
      actors.set(key, actor)
      checkedAt.set(key, Date.now())
      return actor
    },
    forget(userId) {
      for (const [key, actor] of actors) if (actor.userId === userId) actors.delete(key)
    },
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

interface Claims extends JWTPayload {
  scope?: string
  preferred_username?: string
  email?: string
  realm_access?: { roles?: string[] }
  resource_access?: Record<string, { roles?: string[] }>
}

function toActor(payload: JWTPayload, token: string, realm: string, tenant: TenantOfRealm): Omit<Actor, 'groupIds'> {
  const claims = payload as Claims
  const resourceRoles = new Set<string>()
  for (const [client, access] of Object.entries(claims.resource_access ?? {})) {
    for (const name of access.roles ?? []) resourceRoles.add(`${client}:${name}`)
  }
  return {
    userId: String(claims.sub),
    username: claims.preferred_username ?? String(claims.sub),
    email: claims.email ?? null,
    tenantId: tenant.id,
    tenantIdentifier: tenant.identifier,
    realm,
    realmRoles: new Set(claims.realm_access?.roles ?? []),
    resourceRoles,
    scopes: new Set((claims.scope ?? '').split(' ')),
    expiresAt: Number(claims.exp),
    token,
  }
}
