import type { IncomingMessage, ServerResponse } from 'node:http'
import { carriedOf } from '../directory/carried-roles.ts'
import { findClient } from '../directory/clients.ts'
import { findUser } from '../directory/users.ts'
import { bearerToken, sendJson } from '../http/exchange.ts'
import type { Db } from '../storage/database.ts'
import { userinfoClaims } from './claims.ts'
import { allowOriginOf } from './cors.ts'
import type { RealmHost } from './realm-host.ts'
import { checkAccessToken } from './token-check.ts'

/** Says who the bearer of an access token is. */
export async function userinfo(db: Db, host: RealmHost, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const token = bearerToken(req)
  const payload = token && (await checkAccessToken(db, host, token))
  const user = payload && (await findUser(db, host.realm.id, payload.sub))
  const client = user && payload && (await findClient(db, host.realm.id, payload.azp))
  if (!payload || !user || !client) {
    const body = { error: 'invalid_token', error_description: 'Token verification failed' }
    const challenge = `Bearer realm="${host.realm.name}", error="invalid_token", error_description="Token verification failed"`
    return sendJson(res, 401, body, { 'www-authenticate': challenge })
  }
  await allowOriginOf(db, host.realm.id, payload.azp, req, res)
  const carried = await carriedOf(db, host.realm.id, client, user.id, payload.scope ?? '')
  sendJson(res, 200, userinfoClaims(client, user, carried))
}
