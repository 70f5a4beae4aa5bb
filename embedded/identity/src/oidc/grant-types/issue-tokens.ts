import type { Account, KoaContextWithOIDC, Provider, ResourceServerInstance } from 'oidc-provider'
import { API_RESOURCE, describeResource } from '../scopes.ts'

interface SignedIn {
  account: Account
  scope: string
  /** When the person signed in, in whole seconds since 1970. */
  at: number
  amr: string[]
}

/** The engine has this class and its types do not say so. */
interface WithResourceServer {
  ResourceServer: new (identifier: string, info: object) => ResourceServerInstance
}

/** Starts a session that no browser has, with a grant of the calling client in it. */
export async function startSession(ctx: KoaContextWithOIDC, signedIn: SignedIn, seconds: number) {
  const { provider } = ctx.oidc
  const { account, scope, at, amr } = signedIn
  const clientId = ctx.oidc.client?.clientId ?? ''
  const grant = new provider.Grant({ accountId: account.accountId, clientId })
  grant.addOIDCScope(scope)
  grant.addResourceScope(API_RESOURCE, scope)
  const grantId = await grant.save()
  const session = new provider.Session()
  session.loginAccount({ accountId: account.accountId, loginTs: at, amr, acr: '1' })
  session.grantIdFor(clientId, grantId)
  await session.save(seconds)
  return { grantId, sessionUid: session.uid }
}

async function identityToken(provider: Provider, ctx: KoaContextWithOIDC, signedIn: SignedIn, sid: string) {
  const { account, scope, at, amr } = signedIn
  const claims = await account.claims('id_token', scope, {}, [])
  const token = new provider.IdToken({ ...claims, acr: '1', amr, auth_time: at }, { ctx })
  Object.assign(token, { scope })
  token.set('sid', sid)
  return token.issue({ use: 'idtoken' })
}

/** Tokens of a session that was just started, in the words of the token endpoint. */
export async function issueTokens(
  ctx: KoaContextWithOIDC,
  signedIn: SignedIn,
  session: { grantId: string; sessionUid: string },
): Promise<void> {
  const { oidc } = ctx
  const { provider, client } = oidc
  if (!client) throw new Error('the token endpoint has a client by now')
  const { account, scope, at, amr } = signedIn
  const { accountId } = account
  oidc.entity('Account', account)
  const hangsOn = { client, accountId, ...session, sid: session.sessionUid, expiresWithSession: true, gty: 'password' }
  const access = new provider.AccessToken({ ...hangsOn, scope })
  const { ResourceServer } = provider as unknown as WithResourceServer
  access.resourceServer = new ResourceServer(API_RESOURCE, describeResource(ctx, API_RESOURCE, client))
  oidc.entity('AccessToken', access)
  const access_token = await access.save()
  const refresh = new provider.RefreshToken({
    ...hangsOn,
    ...{ scope, acr: '1', amr, authTime: at, resource: API_RESOURCE, rotations: 0 },
  })
  oidc.entity('RefreshToken', refresh)
  const refresh_token = await refresh.save()
  const hasIdentity = scope.split(' ').includes('openid')
  ctx.body = {
    access_token,
    expires_in: access.expiration,
    refresh_token,
    ...(hasIdentity ? { id_token: await identityToken(provider, ctx, signedIn, session.sessionUid) } : {}),
    token_type: access.tokenType,
    scope,
  }
}
