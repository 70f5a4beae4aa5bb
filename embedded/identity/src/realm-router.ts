import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendEmpty, sendJson } from './http/exchange.ts'
import { Problem } from './http/problem.ts'
import { answerPreflight } from './oidc/cors.ts'
import { DEVICE_PATH, noteUserCode } from './oidc/grant-types/device-flow.ts'
import { issueTicket, noteRequester } from './oidc/grant-types/uma-grant.ts'
import { introspect } from './oidc/introspection.ts'
import { loginStatus, loginStatusFrame } from './oidc/login-status.ts'
import { currentSession, logout } from './oidc/logout.ts'
import { PROTOCOL_PATH } from './oidc/provider.ts'
import type { RealmHost } from './oidc/realm-host.ts'
import { revoke } from './oidc/revocation.ts'
import { userinfo } from './oidc/userinfo.ts'
import { expiredPage } from './pages/error-page.ts'
import { sendPage } from './pages/layout.ts'
import { linkPaths } from './sign-in/action-link.ts'
import { pageOfAnswer } from './sign-in/by-provider.ts'
import { signIn } from './sign-in/sign-in.ts'
import type { Db } from './storage/database.ts'

/** Request to one realm. */
interface Visit {
  db: Db
  host: RealmHost
  req: IncomingMessage
  res: ServerResponse
  /** The path below `/realms/{name}`, without the query. */
  path: string
}

type Answer = (visit: Visit) => Promise<void>

function describeRealm({ host, res }: Visit): Promise<void> {
  const [key] = host.keys
  sendJson(res, 200, {
    realm: host.realm.name,
    public_key: key?.n,
    'token-service': `${host.issuer}${PROTOCOL_PATH}`,
    'account-service': `${host.issuer}/account`,
    'tokens-not-before': 0,
  })
  return Promise.resolve()
}

const withCors =
  (answer: Answer): Answer =>
  (visit) =>
    answerPreflight(visit.req, visit.res) ? Promise.resolve() : answer(visit)

/** Answers that are ours because the protocol engine has none, or another than Keycloak's. */
const own: Readonly<Record<string, readonly [methods: string, answer: Answer]>> = {
  '/': ['GET', describeRealm],
  [`${PROTOCOL_PATH}/userinfo`]: ['GET POST OPTIONS', withCors((v) => userinfo(v.db, v.host, v.req, v.res))],
  [`${PROTOCOL_PATH}/revoke`]: ['POST OPTIONS', withCors((v) => revoke(v.db, v.host, v.req, v.res))],
  [`${PROTOCOL_PATH}/token/introspect`]: ['POST', (v) => introspect(v.db, v.host, v.req, v.res)],
  [`${PROTOCOL_PATH}/logout`]: ['GET POST OPTIONS', withCors((v) => logout(v.db, v.host, v.req, v.res))],
  [`${PROTOCOL_PATH}/login-status-iframe.html`]: ['GET', async (v) => loginStatusFrame(v.host, v.res)],
  [`${PROTOCOL_PATH}/login-status-iframe.html/init`]: ['GET', (v) => loginStatus(v.db, v.host, v.req, v.res)],
  ...Object.fromEntries(
    Object.entries(linkPaths).map(([path, answer]): [string, readonly [string, Answer]] => [
      path,
      ['GET HEAD POST', (v) => answer(v.db, v.host, v.req, v.res)],
    ]),
  ),
  '/authz/protection/permission': ['POST', (v) => issueTicket(v.db, v.host, v.req, v.res)],
}

/** A provider sends the browser back: on to the sign-in page that had sent it there. */
async function answerOfProvider({ db, host, req, res }: Visit, alias: string): Promise<void> {
  const page = await pageOfAnswer(db, host, alias, new URL(req.url ?? '', host.issuer).searchParams)
  if (page === undefined) return sendPage(req, res, 400, expiredPage(host.realm, host.issuer))
  sendEmpty(res, 303, { location: page })
}

/** Makes the request look to the protocol engine as it did to the browser: at the public address. */
function present(host: RealmHost, req: IncomingMessage, path: string): void {
  const issuer = new URL(host.issuer)
  const query = (req.url ?? '').split('?').slice(1).join('?')
  const below = query === '' ? path : `${path}?${query}`
  delete req.headers['x-forwarded-host']
  req.headers.host = issuer.host
  req.headers['x-forwarded-proto'] = issuer.protocol.slice(0, -1)
  req.url = below
  Object.assign(req, { originalUrl: issuer.pathname + below })
}

export async function answerRealm(visit: Visit): Promise<void> {
  const { db, host, req, res, path } = visit
  if (!host.realm.settings.enabled)
    throw new Problem(403, { error: 'access_denied', error_description: 'Realm not enabled' })
  present(host, req, path)
  const ours = own[path]
  if (ours) {
    const [methods, answer] = ours
    if (!methods.split(' ').includes(req.method ?? '')) throw new Problem(405, { error: 'HTTP 405 Method Not Allowed' })
    return answer(visit)
  }
  if (path.startsWith('/login-actions/')) return signIn(db, host, req, res)
  const [, alias] = /^\/broker\/([a-z0-9-]+)\/endpoint$/.exec(path) ?? []
  if (alias !== undefined && req.method === 'GET') return answerOfProvider(visit, alias)
  if (path === `${PROTOCOL_PATH}/token`) await noteRequester(db, host, req)
  if (path === DEVICE_PATH && req.method === 'GET') noteUserCode(req)
  // The engine stumbles over a form of a session that is gone; the page begins a new one.
  if (path === DEVICE_PATH && req.method === 'POST' && (await currentSession(host, req, res)).exp === undefined)
    return sendEmpty(res, 303, { location: `${host.issuer}${DEVICE_PATH}` })
  await host.answer(req, res)
}
