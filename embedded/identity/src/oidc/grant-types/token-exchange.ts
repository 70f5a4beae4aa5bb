import { errors, type KoaContextWithOIDC, type Provider } from 'oidc-provider'
import { carriedOf } from '../../directory/carried-roles.ts'
import { type Client, findClient } from '../../directory/clients.ts'
import type { Realm } from '../../directory/realms.ts'
import { findUser } from '../../directory/users.ts'
import type { Db } from '../../storage/database.ts'
import { accessClaims } from '../claims.ts'
import { EXCHANGE_GRANT } from '../client-metadata.ts'
import { agreed } from '../grants.ts'
import { checkScopes, grantedScopes, scopesOf } from '../scopes.ts'
import { signToken } from '../sign-token.ts'
import type { signingKeys } from '../signing-keys.ts'
import { type AccessPayload, checkAccessToken } from '../token-check.ts'

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token'

const listOf = (value: unknown): string[] => [value ?? []].flat().map(String)

interface Place {
  db: Db
  realm: Realm
  issuer: string
  keys: Awaited<ReturnType<typeof signingKeys>>
}

/** The token that is given in, when it is one for the asking client. */
async function subjectOf(ctx: KoaContextWithOIDC, place: Place, client: Client): Promise<AccessPayload> {
  const { subject_token, subject_token_type, requested_token_type, actor_token } = ctx.oidc.params ?? {}
  if (typeof subject_token !== 'string') throw new errors.InvalidRequest('subject_token parameter is missing')
  if (subject_token_type !== ACCESS_TOKEN)
    throw new errors.InvalidRequest('Parameter subject_token supports access tokens only')
  if ((requested_token_type ?? ACCESS_TOKEN) !== ACCESS_TOKEN)
    throw new errors.InvalidRequest('requested_token_type unsupported: access tokens only')
  if (actor_token !== undefined) throw new errors.InvalidRequest('Parameter actor_token is not supported')
  const subject = await checkAccessToken(place.db, place, subject_token)
  // A permission token says what somebody may do in one place, and stands for nobody.
  if (!subject || subject.authorization !== undefined) throw new errors.InvalidRequest('Invalid token')
  const audiences = [subject.aud ?? []].flat()
  if (subject.azp !== client.client_id && !audiences.includes(client.client_id))
    throw new errors.AccessDenied('Client is not within the token audience')
  return subject
}

/** Only what is asked for, out of what the token would be meant for anyway. */
function narrowed(claims: ReturnType<typeof accessClaims>, asked: readonly string[]) {
  if (asked.length === 0) return claims
  const missing = asked.filter((audience) => !claims.aud.includes(audience))
  if (missing.length > 0) throw new errors.InvalidRequest(`Requested audience not available: ${missing.join(' ')}`)
  const access = (claims.resource_access ?? {}) as Record<string, unknown>
  const kept = Object.fromEntries(Object.entries(access).filter(([name]) => asked.includes(name)))
  const { resource_access: _, ...others } = claims
  return { ...others, aud: [...asked], ...(Object.keys(kept).length > 0 ? { resource_access: kept } : {}) }
}

async function exchange(ctx: KoaContextWithOIDC, place: Place): Promise<void> {
  const { db, realm, issuer, keys } = place
  const client = await findClient(db, realm.id, ctx.oidc.client?.clientId ?? '')
  if (!client) throw new errors.InvalidClient('client not found')
  const subject = await subjectOf(ctx, place, client)
  const asked = ctx.oidc.params?.scope
  checkScopes(asked, scopesOf(client))
  const scope = grantedScopes(client, typeof asked === 'string' ? asked : (subject.scope ?? ''))
  const user = await findUser(db, realm.id, subject.sub)
  if (!user) throw new errors.InvalidRequest('Invalid token')
  if (!(await agreed(db, client, user.id, scope)))
    throw new errors.AccessDenied('Missing consents for Token Exchange in client')
  const whole = accessClaims(client, user, await carriedOf(db, realm.id, client, user.id, scope))
  const claims = narrowed(whole, listOf(ctx.oidc.params?.audience))
  const now = Math.floor(Date.now() / 1000)
  // It ends with what it was exchanged for, so that a token does not renew itself for ever.
  const seconds = Math.min(realm.settings.accessTokenLifespan, (subject.exp ?? now) - now)
  const { sid, grant, auth_time } = subject
  const access_token = await signToken(
    {
      ...claims,
      ...{ aud: claims.aud.length === 1 ? claims.aud[0] : claims.aud, typ: 'Bearer', azp: client.client_id, acr: '1' },
      scope: [...new Set(`${scope} email profile`.split(' ').filter(Boolean))].join(' '),
      ...(sid === undefined ? { client_id: client.client_id } : { sid }),
      ...(grant === undefined ? {} : { grant }),
      ...(auth_time === undefined ? {} : { auth_time }),
    },
    { jwk: keys[0], issuer, subject: user.id, seconds },
  )
  ctx.oidc.entity('Account', { accountId: user.id, claims: () => ({ sub: user.id }) })
  ctx.body = { access_token, expires_in: seconds, token_type: 'Bearer', issued_token_type: ACCESS_TOKEN, scope }
}

/** Lets a confidential client have a token for itself in place of one that was meant for it (RFC 8693). */
export function registerTokenExchange(provider: Provider, place: Place): void {
  const params = ['subject_token', 'subject_token_type', 'requested_token_type', 'actor_token', 'audience', 'scope']
  provider.registerGrantType(EXCHANGE_GRANT, (ctx) => exchange(ctx, place), params, ['audience'])
}
