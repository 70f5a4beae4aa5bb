import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { Config } from '../kernel/config.ts'
import type { Http } from '../kernel/http.ts'
import { anyone } from '../kernel/policy.ts'

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
    })
  })
  http.get('/openapi.json', { config: { policy: anyone }, schema: { hide: true } }, async () => http.swagger())
}
