import type { IncomingMessage, ServerResponse } from 'node:http'
import { carriedOf } from '../directory/carried-roles.ts'
import { findClient } from '../directory/clients.ts'
import { findUser } from '../directory/users.ts'
import { readForm, sendJson } from '../http/exchange.ts'
import { Problem } from '../http/problem.ts'
import type { Db } from '../storage/database.ts'
import { digestOf } from '../storage/encryption.ts'
import { accessClaims } from './claims.ts'
import { authenticateClient } from './client-auth.ts'
import type { RealmHost } from './realm-host.ts'
import { type AccessPayload, checkAccessToken } from './token-check.ts'

interface RefreshPayload {
  accountId: string
  clientId: string
  exp: number
  iat: number
  jti: string
  scope?: string
}

/** A refresh token is for the client that got it, and says nothing to any other. */
async function refreshTokenState(
  db: Db,
  host: RealmHost,
  token: string,
  asking: string,
): Promise<Record<string, unknown>> {
  const row = await db.row<{ payload: RefreshPayload }>(
    `select payload from oidc_artifact where realm_id = $1 and model = 'RefreshToken' and id = $2
       and consumed_at is null and expires_at > now() and payload ->> 'clientId' = $3`,
    [host.realm.id, digestOf(token), asking],
  )
  if (!row) return { active: false }
  const { accountId, clientId, exp, iat, scope } = row.payload
  return { active: true, typ: 'Refresh', sub: accountId, client_id: clientId, exp, iat, scope, iss: host.issuer }
}

/** Claims of the token if it were issued now: its own protocol fields, and everything else from the directory. */
async function currentClaims(db: Db, host: RealmHost, payload: AccessPayload): Promise<Record<string, unknown>> {
  const [client, user] = await Promise.all([
    findClient(db, host.realm.id, payload.azp),
    findUser(db, host.realm.id, payload.sub),
  ])
  if (!client || !user) return { active: false }
  const carried = await carriedOf(db, host.realm.id, client, user.id, payload.scope ?? '')
  const { exp, iat, jti, iss, sub, typ, azp, sid, acr, scope, aud } = payload
  const protocolFields = { exp, iat, jti, iss, sub, typ, azp, sid, acr, scope, aud }
  return {
    ...accessClaims(client, user, carried),
    ...protocolFields,
    client_id: azp,
    username: user.username,
    token_type: 'Bearer',
    active: true,
  }
}

const isAudience = (payload: AccessPayload, clientId: string) => [payload.aud].flat().includes(clientId)

/**
 * Tells a confidential client whether a token still counts, and what its owner holds now. As in Keycloak, a token
 * that is not meant for the asking client is told to be inactive.
 */
export async function introspect(db: Db, host: RealmHost, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const form = await readForm(req)
  const client = await authenticateClient(db, host.realm.id, req, form)
  if (client.settings.publicClient) {
    throw new Problem(403, { error: 'access_denied', error_description: 'Client not allowed.' })
  }
  const token = form.get('token') ?? ''
  if (token.split('.').length !== 3)
    return sendJson(res, 200, await refreshTokenState(db, host, token, client.client_id))
  const payload = await checkAccessToken(db, host, token)
  const isMeant = payload !== undefined && isAudience(payload, client.client_id)
  sendJson(res, 200, isMeant ? await currentClaims(db, host, payload) : { active: false })
}
