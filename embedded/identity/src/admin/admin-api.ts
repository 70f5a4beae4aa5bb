import type { IncomingMessage, ServerResponse } from 'node:http'
import { keepingLastHolders } from '../directory/kept-roles.ts'
import { checkPolicyText } from '../directory/password-policy.ts'
import { createRealm, listRealms, realmToJson, requireRealm } from '../directory/realms.ts'
import { recordAdminEvent } from '../events/admin-events.ts'
import { clientAddress } from '../http/client-address.ts'
import { type JsonObject, readJson, sendEmpty, sendJson } from '../http/exchange.ts'
import { badRequest, forbidden, Problem } from '../http/problem.ts'
import type { RealmHosts } from '../oidc/realm-host.ts'
import type { Db } from '../storage/database.ts'
import { adminEventOf } from './admin-event-of.ts'
import { identifyCaller, MASTER, requireAny } from './caller.ts'
import { clientRoutes } from './client-routes.ts'
import { clientScopeRoutes } from './client-scope-routes.ts'
import { evaluateRoutes } from './evaluate-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { groupRoutes } from './group-routes.ts'
import { identityProviderRoutes } from './identity-provider-routes.ts'
import { importRoutes } from './import-routes.ts'
import { mailRoutes } from './mail-routes.ts'
import { mappingRoutes } from './mapping-routes.ts'
import { matchPath } from './path-match.ts'
import { realmRoutes } from './realm-routes.ts'
import { roleRoutes } from './role-routes.ts'
import type { Call, Reply, Route } from './route.ts'
import { scopeMappingRoutes } from './scope-mapping-routes.ts'
import { serverInfo } from './server-info.ts'
import { whyUnsupported } from './unsupported.ts'
import { userRoutes } from './user-routes.ts'

interface AdminOptions {
  db: Db
  hosts: RealmHosts
  publicUrl: string
  allowedAddresses: readonly string[]
}

// Fixed words win over named parts: `/users/count` is asked before `/users/:id`.
const fixedWords = (route: Route) => route.path.split('/').filter((part) => part !== '' && !/^[:*]/.test(part)).length

const routes: readonly Route[] = [
  ...realmRoutes,
  ...importRoutes,
  ...eventRoutes,
  ...userRoutes,
  ...mailRoutes,
  ...groupRoutes,
  ...mappingRoutes,
  ...roleRoutes,
  ...clientRoutes,
  ...clientScopeRoutes,
  ...scopeMappingRoutes,
  ...evaluateRoutes,
  ...identityProviderRoutes,
].toSorted((left, right) => fixedWords(right) - fixedWords(left))

function findRoute(method: string, path: string): { route: Route; params: Record<string, string> } {
  let pathKnown = false
  for (const route of routes) {
    const params = matchPath(route.path, path)
    if (!params) continue
    if (route.method === method) return { route, params }
    pathKnown = true
  }
  if (pathKnown) throw new Problem(405, { error: 'HTTP 405 Method Not Allowed' })
  const errorMessage = whyUnsupported(path)
  throw errorMessage === undefined
    ? new Problem(404, { error: 'HTTP 404 Not Found' })
    : new Problem(501, { error: 'HTTP 501 Not Implemented', errorMessage })
}

function send(res: ServerResponse, reply: Reply): void {
  const headers: Record<string, string> = reply.location === undefined ? {} : { location: reply.location }
  if (reply.body === undefined) sendEmpty(res, reply.status, headers)
  else sendJson(res, reply.status, reply.body, headers)
}

async function realmCollection(options: AdminOptions, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const caller = await identifyCaller(options.db, options.hosts, options.publicUrl, req, MASTER)
  if (!caller.allPowerful) throw forbidden()
  if (req.method === 'GET') {
    const brief = new URL(req.url ?? '', options.publicUrl).searchParams.get('briefRepresentation') === 'true'
    const realms = await listRealms(options.db)
    return sendJson(res, 200, await Promise.all(realms.map((realm) => realmToJson(options.db, realm, brief))))
  }
  if (req.method !== 'POST') throw new Problem(405, { error: 'HTTP 405 Method Not Allowed' })
  const sent = (await readJson(req)) as JsonObject | undefined
  const now = await identifyCaller(options.db, options.hosts, options.publicUrl, req, MASTER)
  if (!now.allPowerful) throw forbidden()
  if (typeof sent !== 'object' || sent === null) throw badRequest('A JSON object is expected')
  if (typeof sent.passwordPolicy === 'string') checkPolicyText(sent.passwordPolicy)
  const realm = await createRealm(options.db, sent)
  options.hosts.forget(realm.name)
  sendEmpty(res, 201, { location: `${options.publicUrl}/admin/realms/${realm.name}` })
}

/** Calls after which somebody may hold less; a group that is moved loses what the groups above it hold. */
const mayTakeAway = ({ method, path }: Route) =>
  method === 'DELETE' || method === 'PUT' || /^\/groups(\/:id\/children)?$/.test(path)

function answerTo(route: Route, call: Call): Promise<Reply> {
  if (route.method === 'GET' || route.path === '' || !mayTakeAway(route)) return route.answer(call)
  return keepingLastHolders(call.db, call.realm.id, (db) => route.answer({ ...call, db }))
}

/** Answers everything below `/admin`; the path comes without that prefix. */
export async function adminApi(
  options: AdminOptions,
  path: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { db, hosts, publicUrl } = options
  if (path === '/serverinfo') {
    await identifyCaller(db, hosts, publicUrl, req, MASTER)
    return sendJson(res, 200, serverInfo())
  }
  const match = /^\/realms(?:\/([^/]+)(.*))?\/?$/s.exec(path)
  if (!match) throw new Problem(404, { error: 'HTTP 404 Not Found' })
  const [, encodedName, rest = ''] = match
  if (encodedName === undefined) return realmCollection(options, req, res)
  const name = decodeURIComponent(encodedName)
  const asking = await identifyCaller(db, hosts, publicUrl, req, name)
  const realm = await requireRealm(db, name)
  const { route, params } = findRoute(req.method ?? 'GET', rest)
  requireAny(asking, route.needs)
  const body = req.method === 'GET' ? undefined : await readJson(req)
  // A body may have taken its time to arrive, and its sender may have lost their rights meanwhile.
  const caller = req.method === 'GET' ? asking : await identifyCaller(db, hosts, publicUrl, req, name)
  requireAny(caller, route.needs)
  const call: Call = {
    db,
    realm,
    caller,
    params,
    query: new URL(req.url ?? '', publicUrl).searchParams,
    body,
    issuer: `${publicUrl}/realms/${realm.name}`,
    allowedAddresses: options.allowedAddresses,
    address: `${publicUrl}/admin/realms/${encodeURIComponent(realm.name)}`,
    outbound: hosts.outbound,
    realmChanged: () => hosts.forget(realm.name),
  }
  send(res, await recorded(req, route, rest, call))
}

/** A header in which the all-powerful say for which user of the realm they act; nobody else is believed. */
const actingForHeader = 'x-acting-for'

/** Answers a call, and keeps what it did, or that it was refused, among the events of the realm. */
async function recorded(req: IncomingMessage, route: Route, path: string, call: Call): Promise<Reply> {
  const event = adminEventOf(route, path)
  if (event === undefined) return answerTo(route, call)
  const { caller, db, realm } = call
  const said = req.headers[actingForHeader]
  const record = ({ location, error }: { location?: string | undefined; error?: string }) =>
    recordAdminEvent(db, realm, {
      ...{ ...event, error, body: call.body, ipAddress: clientAddress(req) },
      ...{ authRealm: caller.realm, authClient: caller.client, authUser: caller.userId },
      // A thing that was made is told by the address that it has now.
      ...(location === undefined ? {} : { resourcePath: location.slice(call.address.length + 1) }),
      actingFor: caller.allPowerful && typeof said === 'string' ? said : undefined,
    })
  try {
    const reply = await answerTo(route, call)
    // A realm that is deleted takes its events along.
    if (!(route.method === 'DELETE' && route.path === '')) await record({ location: reply.location })
    return reply
  } catch (error) {
    if (error instanceof Problem) await record({ error: error.message })
    throw error
  }
}
