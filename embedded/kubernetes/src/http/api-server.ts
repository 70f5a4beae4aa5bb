import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import { actingAs } from '../admission/actor.ts'
import { badRequest, internalError, KubeError, unknownPath, wrongMethod } from '../api-error.ts'
import { accessDenied } from '../auth/access.ts'
import { authenticate } from '../auth/authenticate.ts'
import type { Certificates } from '../auth/certificates.ts'
import { type Identity, isAdmin } from '../auth/identity.ts'
import type { ClusterContext } from '../cluster-context.ts'
import type { DiscoveryRoutes } from './discovery-routes.ts'
import type { FaultTable } from './faults.ts'
import { negotiate } from './negotiate.ts'
import { resourceReply } from './objects/resource-routes.ts'
import type { PlainRoutes } from './plain-routes.ts'
import { inForm, nowhere, type Reply, sendReply, whileAllowed, withWarnings } from './reply.ts'
import { type ResourcePath, resourcePath, scopeOf, type Verb, verbOf } from './request-path.ts'

const PUBLIC_PATHS = new Set(['/healthz', '/livez', '/readyz', '/version'])
const HEADERS_TIMEOUT = 10_000
const REQUEST_TIMEOUT = 60_000

interface ApiParts {
  context: ClusterContext
  certificates: Certificates
  faults: FaultTable
  plain: PlainRoutes
  discovery: DiscoveryRoutes
}

/** A list or a watch that is narrowed to one name asks for a right that may name the object. */
function selectedName(verb: Verb, query: URLSearchParams): string | undefined {
  if (verb !== 'list' && verb !== 'watch') return undefined
  const [term, ...others] = (query.get('fieldSelector') ?? '')
    .split(',')
    .map((part) => /^metadata\.name==?([^=]+)$/.exec(part)?.[1])
    .filter((name) => name !== undefined)
  return others.length === 0 ? term : undefined
}

function authorizeResource(
  { context }: ApiParts,
  identity: Identity,
  path: ResourcePath,
  { verb, query }: { verb: Verb; query: URLSearchParams },
): void {
  const { group, resource, subresource } = path
  const name = path.name ?? selectedName(verb, query)
  const wanted = { verb, group, resource, subresource, name, namespace: scopeOf(path) }
  if (!context.access.allows(identity, wanted)) throw accessDenied(identity, wanted)
}

function authorizePath(context: ClusterContext, identity: Identity, method: string, path: string): void {
  const wanted = { verb: method.toLowerCase() === 'head' ? 'get' : method.toLowerCase(), path }
  if (!context.access.allows(identity, wanted)) throw accessDenied(identity, wanted)
}

async function resourceAnswer(
  parts: ApiParts,
  message: IncomingMessage,
  url: URL,
  path: ResourcePath,
  identity: Identity,
): Promise<Reply> {
  const { context } = parts
  const watches = url.searchParams.get('watch') === 'true' || url.searchParams.get('watch') === '1'
  const verb = verbOf(message.method ?? 'GET', path, watches || url.pathname.includes('/watch/'))
  if (!verb) throw wrongMethod()
  authorizeResource(parts, identity, path, { verb, query: url.searchParams })
  const type = context.registry.find(path.group, path.version, path.resource)
  if (!type) {
    if (context.registry.all().some(({ group }) => group === path.group)) throw unknownPath()
    return nowhere
  }
  const isText = path.subresource === 'log'
  const shape = isText ? 'object' : negotiate(message.headers.accept)
  const query = url.searchParams
  const warnings: string[] = []
  const reply = await actingAs(identity, warnings, () =>
    resourceReply({ context, type, path, verb, query, shape, identity, message }),
  )
  if ('stream' in reply && !isAdmin(identity))
    return whileAllowed(reply, async () => {
      authorizeResource(parts, await authenticate(message, context.tokens, context.access), path, { verb, query })
    })
  return warnings.length > 0 ? withWarnings(reply, warnings) : reply
}

function parseUrl(message: IncomingMessage): { url: URL; path: ResourcePath | undefined } {
  try {
    const url = new URL(message.url ?? '/', 'https://cluster')
    return { url, path: resourcePath(url.pathname) }
  } catch {
    throw badRequest('the path of the request cannot be read')
  }
}

async function answer(parts: ApiParts, message: IncomingMessage, response: ServerResponse): Promise<Reply | undefined> {
  const { context, faults, plain } = parts
  const { url, path } = parseUrl(message)
  const method = message.method ?? 'GET'
  if (PUBLIC_PATHS.has(url.pathname.replace(/(?<=.)\/$/, '')) || url.pathname.startsWith('/readyz/')) {
    return plain.reply(message, url)
  }
  const identity = await authenticate(message, context.tokens, context.access)
  if (url.pathname.startsWith('/quayside/')) {
    if (!isAdmin(identity)) throw accessDenied(identity, { verb: method.toLowerCase(), path: url.pathname })
    return plain.reply(message, url)
  }
  const fault = faults.take(message, url, path)
  const afterwards = fault ? await fault(message, response) : undefined
  if (afterwards === 'answered') return undefined
  if (path) {
    const reply = await resourceAnswer(parts, message, url, path, identity)
    if (afterwards !== 'lose-reply') return reply
    message.socket.destroy()
    return undefined
  }
  authorizePath(context, identity, method, url.pathname)
  return parts.discovery(url.pathname, message.headers.accept) ?? plain.reply(message, url)
}

function failure(error: unknown): Reply {
  const known =
    error instanceof KubeError ? error : internalError(error instanceof Error ? error.message : String(error))
  if (known !== error) console.error('The sandbox API could not answer:', error)
  const seconds = known.details?.retryAfterSeconds
  return {
    code: known.code,
    body: known.toStatus(),
    ...(seconds === undefined ? {} : { headers: { 'retry-after': String(seconds) } }),
  }
}

async function serve(parts: ApiParts, message: IncomingMessage, response: ServerResponse): Promise<void> {
  // The end of an answer is still on its way to a slow reader when more of it would be written.
  response.on('error', () => response.destroy())
  try {
    const reply = await answer(parts, message, response)
    if (reply && !response.destroyed) sendReply(response, inForm(reply, message.headers))
  } catch (error) {
    const clientLeft = message.destroyed && !message.complete
    if (clientLeft || response.destroyed) return
    const reply = failure(error)
    if (response.headersSent) response.destroy()
    else sendReply(response, reply)
  }
}

/** The HTTPS server of the API; not listening yet. */
export function createApiServer(parts: ApiParts): Server {
  const { caPem, certificatePem, keyPem } = parts.certificates
  return createServer(
    {
      ca: caPem,
      cert: certificatePem,
      key: keyPem,
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: 'TLSv1.2',
      keepAliveTimeout: 90_000,
      headersTimeout: HEADERS_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
    },
    (message, response) => {
      void serve(parts, message, response)
    },
  )
}
