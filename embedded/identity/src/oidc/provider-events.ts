import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { type LoginEvent, recordEvent } from '../directory/login-events.ts'
import type { Realm } from '../directory/realms.ts'
import { clientAddress } from '../http/client-address.ts'
import type { Db } from '../storage/database.ts'
import { DEVICE_GRANT, EXCHANGE_GRANT } from './client-metadata.ts'

const grantEvents: Readonly<Record<string, string>> = {
  authorization_code: 'CODE_TO_TOKEN',
  refresh_token: 'REFRESH_TOKEN',
  client_credentials: 'CLIENT_LOGIN',
  password: 'LOGIN',
  [DEVICE_GRANT]: 'OAUTH2_DEVICE_CODE_TO_TOKEN',
  [EXCHANGE_GRANT]: 'TOKEN_EXCHANGE',
}

const describe = (ctx: KoaContextWithOIDC): Omit<LoginEvent, 'type'> => ({
  clientId: ctx.oidc.client?.clientId,
  userId: ctx.oidc.entities.Account?.accountId,
  sessionId: ctx.oidc.entities.AccessToken?.sessionUid,
  ipAddress: clientAddress(ctx.req),
})

/** Fields of a token answer that Keycloak adds to the standard's. */
function dressAnswer(ctx: KoaContextWithOIDC, realm: Realm): void {
  const { RefreshToken, AccessToken } = ctx.oidc.entities
  Object.assign(ctx.body as object, {
    refresh_expires_in: RefreshToken?.remainingTTL ?? 0,
    'not-before-policy': realm.settings.notBefore,
    ...(AccessToken?.sessionUid === undefined ? {} : { session_state: AccessToken.sessionUid }),
  })
}

/** Writes what the protocol engine does into the realm's event log. */
export function recordProviderEvents(provider: Provider, db: Db, realm: Realm, report: (error: Error) => void): void {
  const record = (event: LoginEvent) => void recordEvent(db, realm, event).catch(report)
  const grantName = (ctx: KoaContextWithOIDC) => grantEvents[String(ctx.oidc.params?.grant_type)]
  provider.on('grant.success', (ctx) => {
    const type = grantName(ctx)
    if (type) record({ type, ...describe(ctx) })
    dressAnswer(ctx, realm)
  })
  provider.on('grant.error', (ctx, error) => {
    const type = grantName(ctx)
    if (type) record({ type: `${type}_ERROR`, ...describe(ctx), error: error.error })
  })
  provider.on('device_authorization.success', (ctx, response) => {
    Object.assign(response, { interval: realm.settings.oauth2DevicePollingInterval })
    record({ type: 'OAUTH2_DEVICE_AUTH', ...describe(ctx) })
  })
  provider.on('server_error', (_ctx, error) => report(error))
}
