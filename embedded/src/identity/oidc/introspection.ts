import type { IncomingMessage, ServerResponse } from 'node:http'
import { readForm, sendJson } from '../http/exchange.ts'
import { Problem } from '../http/problem.ts'
import type { Db } from '../storage/database.ts'
import { authenticateClient } from './client-auth.ts'
import type { RealmHost } from './realm-host.ts'
import { checkAccessToken } from './token-check.ts'

interface RefreshPayload {
  accountId: string
  clientId: string
  exp: number
  iat: number
  jti: string
  scope?: string
}

async function refreshTokenState(db: Db, host: RealmHost, token: string): Promise<Record<string, unknown>> {
  const row = await db.row<{ payload: RefreshPayload }>(
    `select payload from oidc_artifact where realm_id = $1 and model = 'RefreshToken' and id = $2
       and consumed_at is null and expires_at > now()`,
    [host.realm.id, token],
  )
  if (!row) return { active: false }
  const { accountId, clientId, exp, iat, scope } = row.payload
  return { active: true, typ: 'Refresh', sub: accountId, client_id: clientId, exp, iat, scope, iss: host.issuer }
}

/** Tells a confidential client whether a token still counts, and what it says. */
export async function introspect(db: Db, host: RealmHost, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const form = await readForm(req)
  const client = await authenticateClient(db, host.realm.id, req, form)
  if (client.settings.publicClient) {
    throw new Problem(403, { error: 'access_denied', error_description: 'Client not allowed.' })
  }
  const token = form.get('token') ?? ''
  if (token.split('.').length !== 3) return sendJson(res, 200, await refreshTokenState(db, host, token))
  const payload = await checkAccessToken(db, host, token)
  sendJson(
    res,
    200,
    payload
      ? { ...payload, client_id: payload.azp, username: payload.preferred_username, token_type: 'Bearer', active: true }
      : { active: false },
  )
}
