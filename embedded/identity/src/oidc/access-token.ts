import {
  type AccessToken,
  type ClientCredentials,
  errors,
  type JWTStructured,
  type KoaContextWithOIDC,
} from 'oidc-provider'
import { carriedOf } from '../directory/carried-roles.ts'
import { findClient } from '../directory/clients.ts'
import type { Realm } from '../directory/realms.ts'
import { findUser, serviceAccountOf } from '../directory/users.ts'
import type { Db } from '../storage/database.ts'
import { accessClaims } from './claims.ts'
import { webOrigins } from './client-metadata.ts'

/** A token that is issued or renewed is use of its session, which keeps it from falling idle. Gives when it began, in seconds since 1970. */
async function useSession(db: Db, realm: Realm, uid: string): Promise<number | undefined> {
  const row = await db.row<{ began: number | null }>(
    `update oidc_artifact set used_at = now() where realm_id = $1 and model = 'Session' and uid = $2
     returning (payload ->> 'loginTs')::int as began`,
    [realm.id, uid],
  )
  return row?.began ?? undefined
}

/** Claims about the owner of a token, read from the directory at the moment of issue. */
export async function tokenClaims(db: Db, realm: Realm, token: AccessToken | ClientCredentials) {
  const client = await findClient(db, realm.id, token.clientId ?? '')
  if (!client) throw new errors.InvalidClient('client not found')
  const userId = 'accountId' in token ? token.accountId : undefined
  const user = userId === undefined ? await serviceAccountOf(db, client.id) : await findUser(db, realm.id, userId)
  if (!user?.enabled) throw new errors.InvalidGrant('account is not active')
  const sessionUid = 'sessionUid' in token ? token.sessionUid : undefined
  const signedInAt = sessionUid === undefined ? undefined : await useSession(db, realm, sessionUid)
  const origins = webOrigins(client)
  return {
    ...accessClaims(client, user, await carriedOf(db, realm.id, client, user.id, token.scope ?? '')),
    typ: 'Bearer',
    azp: client.client_id,
    acr: '1',
    ...(signedInAt === undefined ? {} : { auth_time: signedInAt }),
    ...(origins.length === 0 ? {} : { 'allowed-origins': origins }),
    ...(sessionUid ? { sid: sessionUid } : { client_id: client.client_id }),
    ...('grantId' in token && token.grantId ? { grant: token.grantId } : {}),
  }
}

/** Keycloak's shape for the protocol's own fields of an access token. */
export function dressAccessToken(_ctx: KoaContextWithOIDC, token: AccessToken | ClientCredentials, jwt: JWTStructured) {
  const extra = token.extra as { user_id: string; aud: string[]; client_id?: string }
  jwt.header = { ...jwt.header, typ: 'JWT' }
  // For nobody is an empty list, because the engine signs no token without one.
  jwt.payload.aud = extra.aud.length === 1 ? extra.aud[0] : extra.aud
  jwt.payload.sub = extra.user_id
  if (extra.client_id === undefined) delete jwt.payload.client_id
  const scopes = new Set(`${token.scope ?? ''} email profile`.split(' ').filter(Boolean))
  jwt.payload.scope = [...scopes].join(' ')
}
