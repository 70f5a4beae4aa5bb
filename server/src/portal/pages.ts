import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { anyone } from '@quayside/contract/http/policy'
import type { UiConfig } from '@quayside/contract/http/ui-config'
import type { FastifyReply } from 'fastify'
import type { Config } from '../platform/config/config.ts'
import { fail } from '../platform/http/errors.ts'
import type { Http } from '../platform/http/http.ts'

interface TenantOfPage {
  id: string
  identifier: string
  realm: string
  displayName: string
}

const config = { policy: anyone }

/** The single-page application under /en/, its configuration, and the ways that lead there. */
export async function pages(
  http: Http,
  settings: Config,
  tenantOf: (realm: string) => Promise<TenantOfPage | undefined>,
): Promise<void> {
  sendToCanonicalHost(http, settings)
  http.get('/', { config, schema: { hide: true } }, (_request, reply) => reply.redirect('/en/'))
  http.get<{ Querystring: { realm?: string } }>(
    '/en/config.json',
    { config, schema: { hide: true } },
    async (request, reply) => {
      const { realm } = request.query
      const tenant = await tenantOf(typeof realm === 'string' && realm !== '' ? realm : settings.realm)
      if (!tenant) throw fail('tenant.not-found', { field: 'realm' })
      reply.header('cache-control', 'no-store')
      return uiConfig(settings, tenant)
    },
  )

  await http.register(fastifyStatic, { root: settings.staticDir, serve: false, preCompressed: true })
  const file = join(settings.staticDir, 'index.html')
  const index = (reply: FastifyReply) => {
    reply.header('cache-control', 'no-cache')
    // A first start builds the pages while the portal starts: whoever is too early comes back by itself.
    if (!existsSync(file)) return reply.code(503).header('retry-after', '2').type('text/html').send(notBuilt)
    return reply.sendFile('index.html', { cacheControl: false })
  }
  http.get('/en', { config, schema: { hide: true } }, (_request, reply) => index(reply))
  http.get<{ Params: { '*': string } }>('/en/*', { config, schema: { hide: true } }, (request, reply) => {
    const path = request.params['*']
    const isAsset = path.startsWith('assets/') || /\.(js|css|svg|png|ico|woff2|txt|webmanifest)$/.test(path)
    if (!isAsset) return index(reply)
    // Assets carry a hash in their names, so a browser may keep them for good.
    const cache = path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
    return reply.header('cache-control', cache).sendFile(path, { cacheControl: false })
  })
}

const notBuilt =
  '<!doctype html><html lang="en"><meta http-equiv="refresh" content="2"><title>Quayside</title>' +
  '<p>The pages are not built yet. This page looks again by itself.'

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Sign-in only works at the address that the identity server knows: 127.0.0.1 leads to localhost, or the other way. */
function sendToCanonicalHost(http: Http, settings: Config): void {
  const canonical = new URL(settings.url).host
  http.addHook('onRequest', async (request, reply) => {
    const host = request.headers.host ?? canonical
    const isPage = request.method === 'GET' && (request.url === '/' || /^\/en(\/|$|\?)/.test(request.url))
    if (isPage && host !== canonical && loopback.test(host) && loopback.test(canonical))
      return reply.redirect(settings.url + request.url)
  })
}

function uiConfig(settings: Config, tenant: TenantOfPage): UiConfig {
  return {
    product: 'quayside',
    build: settings.build,
    tenant: { id: tenant.id, identifier: tenant.identifier, realm: tenant.realm, displayName: tenant.displayName },
    oidc: {
      authority: `${settings.keycloak.publicUrl}/realms/${tenant.realm}`,
      clientId: 'quayside-portal-ui',
      scope: 'openid email profile',
      clients: {},
    },
    flags: {
      loggingsection: 'false',
      nodescatalog: settings.nodesCatalog,
      flowscatalog: 'true',
      statssection: 'false',
      accesssection: 'true',
      spacelogs: 'true',
      spaceruns: 'true',
      appjobs: 'true',
      flowAppMinVersionForJobsTab: '4.0.0',
      jobHistory: 'true',
      enableUma: settings.enableUma,
    },
    activity: { enabled: false, app: 'portal-ui-user-activities', version: '1.0.0', environment: 'production' },
  }
}
