import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { type LoginEvent, recordEvent } from '../directory/login-events.ts'
import type { Realm } from '../directory/realms.ts'
import { clientAddress } from '../http/client-address.ts'
import type { Db } from '../storage/database.ts'

const grantEvents: Readonly<Record<string, string>> = {
  authorization_code: 'CODE_TO_TOKEN',
  refresh_token: 'REFRESH_TOKEN',
  client_credentials: 'CLIENT_LOGIN',
}

const describe = (ctx: KoaContextWithOIDC): Omit<LoginEvent, 'type'> => ({
  clientId: ctx.oidc.client?.clientId,
  userId: ctx.oidc.entities.Account?.accountId,
  sessionId: ctx.oidc.entities.AccessToken?.sessionUid,
  ipAddress: clientAddress(ctx.req),
})

/** Writes what the protocol engine does into the realm's event log. */
export function recordProviderEvents(provider: Provider, db: Db, realm: Realm, report: (error: Error) => void): void {
  const record = (event: LoginEvent) => void recordEvent(db, realm, event).catch(report)
  const grantName = (ctx: KoaContextWithOIDC) => grantEvents[String(ctx.oidc.params?.grant_type)]
  provider.on('grant.success', (ctx) => {
    const type = grantName(ctx)
    if (type) record({ type, ...describe(ctx) })
  })
  provider.on('grant.error', (ctx, error) => {
    const type = grantName(ctx)
    if (type) record({ type: `${type}_ERROR`, ...describe(ctx), error: error.error })
  })
  provider.on('server_error', (_ctx, error) => report(error))
}
