import type { IncomingMessage } from 'node:http'
import { notAcceptable, unknownPath, wrongMethod } from '../api-error.ts'
import { ISSUER, type TokenAuthority } from '../auth/tokens.ts'
import { DOCUMENT_V2, GROUP_VERSIONS_V2, PROTOBUF_V2, PROTOBUF_V2_ANSWER } from '../openapi/openapi-v2.ts'
import type { OpenApi } from '../openapi/openapi-v3.ts'
import type { Registry } from '../resources/registry.ts'
import { VERSION } from '../version.ts'
import type { FaultTable } from './faults.ts'
import { mediaRanges } from './negotiate.ts'
import { type NodePools, nodePoolAnswer } from './node-pools.ts'
import { decodeBody, mediaTypeOf, readBytes } from './read-body.ts'
import { created, nowhere, ok, plain, type Reply } from './reply.ts'

/** Everything that is neither a resource nor discovery. */
export interface PlainRoutes {
  reply(message: IncomingMessage, url: URL): Promise<Reply>
}

interface Parts {
  openApi: OpenApi
  registry: Registry
  faults: FaultTable
  pools: NodePools
  tokens: TokenAuthority
}

const YEAR = 31_556_952
const HEALTH = new Set(['/healthz', '/livez', '/readyz'])

const CHECKS = ['ping', 'log', 'journal', 'informer-sync', 'poststarthook/rbac/bootstrap-roles', 'shutdown']

function health(name: string, url: URL): Reply {
  if (!url.searchParams.has('verbose')) return plain('ok')
  return plain([...CHECKS.map((check) => `[+]${check} ok`), `${name} check passed`, ''].join('\n'))
}

const OTHER_PATHS = ['/.well-known/openid-configuration', '/api', '/apis', '/apis/', '/healthz', '/livez', '/readyz']
const LAST_PATHS = ['/openapi/v2', '/openapi/v3', '/openapi/v3/', '/openid/v1/jwks', '/version']

/** Every path that begins something. */
function rootPaths(registry: Registry): string[] {
  const served = registry.all().flatMap((type) => {
    const group = type.group ? `/apis/${type.group}` : '/api'
    return [group, `${group}/${type.version}`]
  })
  return [...new Set([...OTHER_PATHS, ...served, ...LAST_PATHS])].sort()
}

function openApiV3(openApi: OpenApi, url: URL): Reply {
  const path = url.pathname.slice('/openapi/v3/'.length)
  const document = openApi.document(path)
  if (!document) throw unknownPath()
  const cache: Record<string, string> = url.searchParams.has('hash')
    ? { 'cache-control': `public, max-age=${YEAR}, immutable` }
    : {}
  return { code: 200, text: document.text, type: 'application/json', headers: { etag: `"${document.hash}"`, ...cache } }
}

function openApiV2(message: IncomingMessage): Reply {
  for (const { type } of mediaRanges(message.headers.accept ?? '*/*')) {
    if (type === 'application/json' || type === '*/*') return ok(GROUP_VERSIONS_V2)
    if (type === PROTOBUF_V2) return { code: 200, text: DOCUMENT_V2, type: PROTOBUF_V2_ANSWER }
  }
  throw notAcceptable(`OpenAPI v2 is served as application/json and ${PROTOBUF_V2}; OpenAPI v3 has every kind`)
}

/** Media type of a body for a route of our own: curl's default type for `-d` is read as JSON. */
function ownMediaType(message: IncomingMessage): string {
  const said = mediaTypeOf(message)
  return said === 'application/x-www-form-urlencoded' ? 'application/json' : said
}

async function faultRoute(faults: FaultTable, message: IncomingMessage, url: URL): Promise<Reply> {
  const id = url.pathname.split('/')[3]
  switch (message.method) {
    case 'GET':
      return ok({ items: faults.list() })
    case 'POST':
      return created(faults.add(decodeBody(ownMediaType(message), await readBytes(message))))
    case 'DELETE':
      faults.clear(id || undefined)
      return ok({ items: faults.list() })
    default:
      throw wrongMethod()
  }
}

async function poolRoute(pools: NodePools, message: IncomingMessage, path: string): Promise<Reply> {
  const bytes = await readBytes(message)
  const body = bytes.length > 0 ? decodeBody(ownMediaType(message), bytes) : undefined
  return ok(nodePoolAnswer(pools, message.method, path.split('/')[3], body))
}

export function createPlainRoutes({ openApi, registry, faults, pools, tokens }: Parts): PlainRoutes {
  return {
    async reply(message, url) {
      const path = url.pathname.length > 1 ? url.pathname.replace(/\/$/, '') : url.pathname
      if (HEALTH.has(path) || path.startsWith('/readyz/')) return health(path.split('/')[1] ?? '', url)
      if (path === '/') return ok({ paths: rootPaths(registry) })
      if (path === '/version') return ok(VERSION)
      if (path === '/openapi/v3') return ok(openApi.index())
      if (path.startsWith('/openapi/v3/')) return openApiV3(openApi, url)
      if (path === '/openapi/v2') return openApiV2(message)
      if (path === '/openid/v1/jwks') return ok(tokens.keySet())
      if (path === '/.well-known/openid-configuration') {
        return ok({
          issuer: ISSUER,
          jwks_uri: `${ISSUER}/openid/v1/jwks`,
          response_types_supported: ['id_token'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['ES256'],
        })
      }
      if (path === '/quayside/faults' || path.startsWith('/quayside/faults/')) return faultRoute(faults, message, url)
      if (path === '/quayside/node-pools' || path.startsWith('/quayside/node-pools/'))
        return poolRoute(pools, message, path)
      return nowhere
    },
  }
}
