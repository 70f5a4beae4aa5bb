import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { anyone } from '@quayside/contract/http/policy'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { Config } from '../platform/config/config.ts'
import type { Http } from '../platform/http/http.ts'

const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 24 24" fill="none" stroke="#3bd1b0" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"><circle cx="12" cy="5" r="2.5"/><path d="M12 7.5V21M4 13a8 8 0 0 0 16 0M8.5 11h7"/></svg>'

/** The published API: /openapi.json from the same declarations that check every call, and /docs to read it. */
export async function openapi(http: Http, config: Config): Promise<void> {
  await http.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Quayside',
        version: config.build,
        description:
          'Every call of the portal. Lists take the query dialect `search=…;filters.x=…;sort.name=ASC;page.skip=0;page.limit=100`.',
      },
      servers: [{ url: config.url }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
      security: [{ bearer: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  })
  await http.register(async (scope) => {
    scope.scopePolicy = anyone
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      uiConfig: { docExpansion: 'none', filter: true },
      logo: { type: 'image/svg+xml', content: Buffer.from(mark), href: '/en/', target: '_self' },
      theme: { title: 'Quayside API' },
    })
  })
  http.get('/openapi.json', { config: { policy: anyone }, schema: { hide: true } }, async () => http.swagger())
}
