import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { findClient } from '../directory/clients.ts'
import { notEnded } from '../directory/sessions.ts'
import type { Db } from '../storage/database.ts'
import type { RealmHost } from './realm-host.ts'
import { publicPartOf } from './signing-keys.ts'

export interface AccessPayload extends JWTPayload {
  sub: string
  jti: string
  azp: string
  sid?: string
  scope?: string
  /** The grant that it was issued under: when that is taken back, whatever came of it counts no more. */
  grant?: string
}

/** A realm as far as its tokens are checked. */
type Issuer = Pick<RealmHost, 'keys' | 'issuer' | 'realm'>

const publicPart = (host: Issuer) => ({ keys: host.keys.map(publicPartOf) })

/** Key sets by realm, kept because importing a key costs more than verifying with it. */
const keySets = new WeakMap<RealmHost['keys'], ReturnType<typeof createLocalJWKSet>>()

function keySetOf(host: Issuer): ReturnType<typeof createLocalJWKSet> {
  const known = keySets.get(host.keys) ?? createLocalJWKSet(publicPart(host))
  keySets.set(host.keys, known)
  return known
}

/** Verifies signature, issuer and time of a token of this realm; the caller decides what kind it must be. */
export async function verifySignature(
  host: Issuer,
  token: string,
  ignoreExpiry = false,
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(token, keySetOf(host), {
      issuer: host.issuer,
      algorithms: ['RS256'],
      ...(ignoreExpiry ? { currentDate: new Date(0) } : {}),
    })
    return payload
  } catch {
    return undefined
  }
}

/**
 * Subject and client of an identity token of this realm. The token may have expired, because it only names a session
 * and gives no access. Access tokens are refused: their `typ` is another one, and their audience is not their client.
 */
export async function identityToken(
  db: Db,
  host: RealmHost,
  token: string,
): Promise<{ sub: string; clientId: string } | undefined> {
  const payload = await verifySignature(host, token, true)
  const { sub, aud, azp, typ } = payload ?? {}
  const audiences = [aud ?? []].flat()
  const clientId = audiences.length === 1 ? audiences[0] : azp
  if (typeof sub !== 'string' || typeof clientId !== 'string' || !audiences.includes(clientId)) return undefined
  if ((typ !== undefined && typ !== 'ID') || (azp !== undefined && azp !== clientId)) return undefined
  return (await findClient(db, host.realm.id, clientId)) ? { sub, clientId } : undefined
}

/** An access token that is genuine and still counts: not revoked, its session alive, its client and its owner enabled. */
export async function checkAccessToken(db: Db, host: Issuer, token: string): Promise<AccessPayload | undefined> {
  const payload = await verifySignature(host, token)
  if (payload?.typ !== 'Bearer' || !payload.sub || !payload.jti || typeof payload.azp !== 'string') return undefined
  const { realm } = host
  const issuedAt = payload.iat ?? 0
  if (issuedAt < realm.settings.notBefore) return undefined
  const good = await db.row(
    `select 1 from user_account u where u.id = $2 and u.realm_id = $1 and u.enabled
       and exists (select 1 from client c where c.realm_id = $1 and c.client_id = $6
         and (c.settings ->> 'enabled')::boolean and coalesce((c.settings ->> 'notBefore')::bigint, 0) <= $8)
       and not exists (select 1 from refused_token r where r.realm_id = $1 and r.jti = $3)
       and ($7::text is null or exists (
         select 1 from oidc_artifact g where g.realm_id = $1 and g.model = 'Grant' and g.id = $7 and g.expires_at > now()))
       and ($4::text is null or exists (
         select 1 from oidc_artifact s where s.realm_id = $1 and s.model = 'Session' and s.uid = $4
           and s.expires_at > now() and s.used_at > now() - make_interval(secs => $5) and ${notEnded}))`,
    [
      realm.id,
      payload.sub,
      payload.jti,
      payload.sid ?? null,
      realm.settings.ssoSessionIdleTimeout,
      payload.azp,
      payload.grant ?? null,
      issuedAt,
    ],
  )
  return good ? (payload as AccessPayload) : undefined
}

/** Refuses one access token from now on, for as long as it would have lived. */
export async function refuseToken(db: Db, realmId: string, payload: JWTPayload): Promise<void> {
  await db.run(
    `insert into refused_token (realm_id, jti, expires_at) values ($1, $2, to_timestamp($3)) on conflict do nothing`,
    [realmId, payload.jti, payload.exp],
  )
}
