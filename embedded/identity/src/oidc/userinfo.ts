import type { IncomingMessage, ServerResponse } from 'node:http'
import { findUser } from '../directory/users.ts'
import { bearerToken, sendJson } from '../http/exchange.ts'
import type { Db } from '../storage/database.ts'
import { profileClaims } from './claims.ts'
import { allowOriginOf } from './cors.ts'
import type { RealmHost } from './realm-host.ts'
import { checkAccessToken } from './token-check.ts'

/** Says who the bearer of an access token is. */
export async function userinfo(db: Db, host: RealmHost, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const token = bearerToken(req)
  const payload = token && (await checkAccessToken(db, host, token))
  const user = payload && (await findUser(db, host.realm.id, payload.sub))
  if (!payload || !user) {
    const body = { error: 'invalid_token', error_description: 'Token verification failed' }
    const challenge = `Bearer realm="${host.realm.name}", error="invalid_token", error_description="Token verification failed"`
    return sendJson(res, 401, body, { 'www-authenticate': challenge })
  }
  await allowOriginOf(db, host.realm.id, payload.azp, req, res)
  sendJson(res, 200, { sub: user.id, ...profileClaims(user) })
}
