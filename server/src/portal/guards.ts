import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import type { Config } from '../platform/config/config.ts'
import { fail } from '../platform/http/errors.ts'
import type { Http } from '../platform/http/http.ts'

/** Headers that browsers obey, and limits that callers meet. */
export async function guards(http: Http, config: Config): Promise<void> {
  const identity = new URL(config.keycloak.publicUrl).origin
  const isHttps = config.url.startsWith('https:')
  await http.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Component libraries set style attributes; scripts stay strict.
        styleSrc: ["'self'", "'unsafe-inline'"],
        // A picture from elsewhere tells its server who looks at what: none is loaded.
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", identity, config.url.replace(/^http/, 'ws')],
        frameSrc: ["'self'", identity],
        frameAncestors: ["'self'"],
        formAction: ["'self'", identity],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000 } : false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    // The sign-in iframe of a renewal loads a page of the portal in the portal.
    xFrameOptions: { action: 'sameorigin' },
    referrerPolicy: { policy: 'same-origin' },
  })
  await http.register(rateLimit, {
    max: config.rateLimit,
    timeWindow: 10_000,
    keyGenerator: (request) => request.actor?.userId ?? request.ip,
    hook: 'preHandler',
    allowList: (request) =>
      request.url.startsWith('/en/') || request.url.startsWith('/healthz') || request.url.startsWith('/readyz'),
    errorResponseBuilder: () => fail('request.too-many'),
  })
}
