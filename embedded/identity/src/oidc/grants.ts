import type { KoaContextWithOIDC } from 'oidc-provider'
import { type Client, findClient } from '../directory/clients.ts'
import type { Realm } from '../directory/realms.ts'
import type { Db } from '../storage/database.ts'
import { API_RESOURCE, grantedScopes } from './scopes.ts'

/** Tells whether the person has agreed to everything that this client asks for; first-party clients need no asking. */
export async function agreed(db: Db, client: Client, userId: string, scope: string): Promise<boolean> {
  if (!client.settings.consentRequired) return true
  const row = await db.row('select 1 from consent where user_id = $1 and client = $2 and scopes @> $3', [
    userId,
    client.id,
    scope.split(' ').filter(Boolean),
  ])
  return row !== undefined
}

/** The grant under which the client may have tokens for this session, made on the spot where nobody has to be asked. */
export async function existingGrant(db: Db, realm: Realm, ctx: KoaContextWithOIDC) {
  const { oidc } = ctx
  const accountId = oidc.session?.accountId
  const clientId = oidc.client?.clientId
  if (!accountId || !clientId) return undefined
  const client = await findClient(db, realm.id, clientId)
  if (!client) return undefined
  const scope = grantedScopes(client, String(oidc.params?.scope ?? 'openid'))
  const known = oidc.session?.grantIdFor(clientId)
  const stored = known ? await oidc.provider.Grant.find(known) : undefined
  if (!(await agreed(db, client, accountId, scope))) return undefined
  const grant = stored?.accountId === accountId ? stored : new oidc.provider.Grant({ accountId, clientId })
  grant.addOIDCScope(scope)
  grant.addResourceScope(API_RESOURCE, scope)
  await grant.save()
  return grant
}
