import type { IncomingMessage, ServerResponse } from 'node:http'
import { recordEvent } from '../directory/login-events.ts'
import { endGrant } from '../directory/sessions.ts'
import { clientAddress } from '../http/client-address.ts'
import { readForm, sendJson } from '../http/exchange.ts'
import type { Db } from '../storage/database.ts'
import { digestOf } from '../storage/encryption.ts'
import { authenticateClient } from './client-auth.ts'
import { allowOrigin } from './cors.ts'
import type { RealmHost } from './realm-host.ts'
import { refuseToken, verifySignature } from './token-check.ts'

async function revokeRefreshToken(db: Db, realmId: string, token: string, clientId: string): Promise<void> {
  const row = await db.row<{ grant_id: string }>(
    `select grant_id from oidc_artifact
     where realm_id = $1 and model = 'RefreshToken' and id = $2 and payload ->> 'clientId' = $3`,
    [realmId, digestOf(token), clientId],
  )
  if (row) await endGrant(db, realmId, row.grant_id)
}

/** Takes a token back. A token that is unknown, or another client's, is answered the same and stays as it was. */
export async function revoke(db: Db, host: RealmHost, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const form = await readForm(req)
  const { realm } = host
  const client = await authenticateClient(db, realm.id, req, form)
  allowOrigin(req, res, client)
  const token = form.get('token')
  if (!token) return sendJson(res, 400, { error: 'invalid_request', error_description: 'Token not provided' })
  if (token.split('.').length === 3) {
    const payload = await verifySignature(host, token)
    if (payload?.azp === client.client_id && payload.typ === 'Bearer') await refuseToken(db, realm.id, payload)
  } else {
    await revokeRefreshToken(db, realm.id, token, client.client_id)
  }
  await recordEvent(db, realm, { type: 'REVOKE_GRANT', clientId: client.client_id, ipAddress: clientAddress(req) })
  sendJson(res, 200, {})
}
