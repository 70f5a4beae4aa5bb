import httpProxy from '@fastify/http-proxy'
import { anyone } from '@quayside/contract/http/policy'
import type { Config } from '../platform/config/config.ts'
import { fail } from '../platform/http/errors.ts'
import type { Http } from '../platform/http/http.ts'
import { believedByOthers } from '../platform/http/trusted-proxies.ts'

/** When people reach the identity server through the portal's own address, /auth is passed on to it. */
export async function identityProxy(http: Http, config: Config): Promise<void> {
  const { url, publicUrl } = config.keycloak
  if (url === publicUrl || !publicUrl.startsWith(`${config.url}/`)) return
  const prefix = new URL(publicUrl).pathname
  await http.register(async (scope) => {
    scope.scopePolicy = anyone
    // Bodies are passed on as they come.
    scope.removeAllContentTypeParsers()
    scope.addHook('onRoute', (route) => {
      route.schema = { ...route.schema, hide: true }
    })
    await scope.register(httpProxy, {
      upstream: new URL(url).origin,
      prefix,
      rewritePrefix: new URL(url).pathname,
      replyOptions: {
        onError: (reply, { error }) => void reply.send(fail('iam.unreachable', { cause: error })),
        rewriteRequestHeaders: (request, headers) => ({
          // Forwarding headers sent by the caller are dropped; the proxy sets its own.
          ...Object.fromEntries(Object.entries(headers).filter(([name]) => !believedByOthers.test(name))),
          'x-forwarded-host': new URL(publicUrl).host,
          'x-forwarded-proto': new URL(publicUrl).protocol.replace(':', ''),
          'x-forwarded-for': request.ip,
        }),
      },
    })
  })
}
