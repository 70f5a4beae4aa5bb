import type { IncomingMessage, ServerResponse } from 'node:http'
import { findClient } from '../directory/clients.ts'
import { recordEvent } from '../directory/login-events.ts'
import { endGrant, endSession } from '../directory/sessions.ts'
import { clientAddress } from '../http/client-address.ts'
import { readForm } from '../http/exchange.ts'
import { Problem } from '../http/problem.ts'
import { errorPage } from '../pages/error-page.ts'
import { formToken, formTokenFits } from '../pages/form-token.ts'
import { sendPage } from '../pages/layout.ts'
import { signedOutPage, signOutPage } from '../pages/sign-out-page.ts'
import type { Db } from '../storage/database.ts'
import { authenticateClient } from './client-auth.ts'
import { postLogoutUris } from './client-metadata.ts'
import { allowOrigin } from './cors.ts'
import type { RealmHost } from './realm-host.ts'
import { redirectAllowed } from './redirect-uris.ts'
import { identityToken } from './token-check.ts'

/** Session of the browser that asks; a new one where it has none. */
export async function currentSession(host: RealmHost, req: IncomingMessage, res: ServerResponse) {
  return host.provider.Session.get(host.provider.createContext(req, res) as never)
}

/** Where to go afterwards: only to an address that the named client registered. */
async function destination(
  db: Db,
  host: RealmHost,
  clientId: string | undefined,
  asked: string | null,
  state: string | null,
) {
  if (asked === null) return undefined
  const client = clientId ? await findClient(db, host.realm.id, clientId) : undefined
  const allowed = client && redirectAllowed(asked, postLogoutUris(client), new URL(host.issuer).origin)
  if (!allowed) return null
  const url = new URL(asked)
  if (state !== null) url.searchParams.set('state', state)
  return url.href
}

function clearCookie(host: RealmHost, res: ServerResponse): void {
  const name = host.provider.cookieName('session')
  const path = `${new URL(host.issuer).pathname}/`
  const secure = host.issuer.startsWith('https:') ? '; Secure' : ''
  const gone = `Path=${path}; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax${secure}`
  res.setHeader('set-cookie', [`${name}=; ${gone}`, `${name}.sig=; ${gone}`])
}

/**
 * Ends the session that a client's refresh token hangs on, without a browser: as Keycloak, 204 and no page.
 * @throws Problem 401 `invalid_client`, 400 `invalid_request` without a token, 400 `invalid_grant` for one that counts
 * no more or is another client's
 */
async function logoutByToken(
  { db, host, form }: { db: Db; host: RealmHost; form: URLSearchParams },
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { realm } = host
  const client = await authenticateClient(db, realm.id, req, form)
  allowOrigin(req, res, client)
  const token = form.get('refresh_token')
  if (!token) throw new Problem(400, { error: 'invalid_request', error_description: 'No refresh token' })
  const found = await host.provider.RefreshToken.find(token)
  if (!found?.isValid || found.clientId !== client.client_id)
    throw new Problem(400, { error: 'invalid_grant', error_description: 'Invalid refresh token' })
  const { sessionUid, grantId, accountId } = found
  if (sessionUid !== undefined) await endSession(db, realm.id, sessionUid)
  // A token may outlive its session: what was issued with it ends by its grant then.
  if (grantId !== undefined) await endGrant(db, realm.id, grantId)
  await recordEvent(db, realm, {
    type: 'LOGOUT',
    clientId: client.client_id,
    userId: accountId,
    sessionId: sessionUid,
    ipAddress: clientAddress(req),
  })
  res.writeHead(204, { 'cache-control': 'no-store' })
  res.end()
}

const ofBrowsers = ['id_token_hint', 'post_logout_redirect_uri', 'form_token']

/** A script has a refresh token, or at least neither a session nor anything that only a browser is sent with. */
function isByToken(req: IncomingMessage, params: URLSearchParams, isSignedIn: boolean): boolean {
  if (req.method !== 'POST') return false
  if (params.has('refresh_token')) return true
  const namesClient = params.has('client_id') || req.headers.authorization !== undefined
  return namesClient && !isSignedIn && !ofBrowsers.some((name) => params.has(name))
}

/**
 * Signs out at the request of an application. With an identity token of the session's owner nobody is asked;
 * without one a page asks first, because anybody can make a browser follow a link.
 */
export async function logout(db: Db, host: RealmHost, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const params = req.method === 'POST' ? await readForm(req) : new URL(req.url ?? '', host.issuer).searchParams
  const session = await currentSession(host, req, res)
  if (isByToken(req, params, session.accountId !== undefined))
    return logoutByToken({ db, host, form: params }, req, res)
  const hintText = params.get('id_token_hint')
  const hint = hintText ? await identityToken(db, host, hintText) : undefined
  const clientId = hint?.clientId ?? params.get('client_id') ?? undefined
  const target = await destination(db, host, clientId, params.get('post_logout_redirect_uri'), params.get('state'))
  const isOfAnother = hint !== undefined && (params.get('client_id') ?? hint.clientId) !== hint.clientId
  if ((hintText && !hint) || isOfAnother || target === null) {
    const problem = target === null ? 'Invalid redirect uri' : 'Invalid parameter: id_token_hint'
    return sendPage(req, res, 400, errorPage(host.realm, problem, host.issuer))
  }
  const confirmed =
    req.method === 'POST' && formTokenFits(host.realm, `logout:${session.uid}`, params.get('form_token'))
  const known = hint !== undefined && (session.accountId === undefined || hint.sub === session.accountId)
  if (session.accountId !== undefined && !known && !confirmed) {
    const token = formToken(host.realm, `logout:${session.uid}`)
    return sendPage(req, res, 200, signOutPage(host.realm, token, params))
  }
  if (session.accountId !== undefined) {
    await endSession(db, host.realm.id, session.uid)
    await recordEvent(db, host.realm, {
      type: 'LOGOUT',
      clientId,
      userId: session.accountId,
      sessionId: session.uid,
      ipAddress: clientAddress(req),
    })
  }
  clearCookie(host, res)
  if (target === undefined) return sendPage(req, res, 200, signedOutPage(host.realm, host.issuer))
  res.writeHead(302, { location: target, 'cache-control': 'no-store' })
  res.end()
}
