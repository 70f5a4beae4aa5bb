import type { Server as TlsServer } from 'node:https'
import { followCertificate, readCertificate } from '../platform/http/certificate.ts'
import { shareFairly } from '../platform/http/fair-calls.ts'
import { createHttp } from '../platform/http/http.ts'
import { createRefusalLimit } from '../platform/http/refusal-limit.ts'
import { clientAddress, trustedProxies } from '../platform/http/trusted-proxies.ts'
import { createLive } from '../platform/live/live.ts'
import type { Permissions } from '../services/permissions/index.ts'
import { topics } from './capabilities.ts'
import type { Foundation } from './foundation.ts'
import type { Identity } from './identity.ts'

type Needs = Foundation & Identity & { permissions: Permissions }

/** The HTTP server without routes, and the live connection on it; both count refused tokens together. */
export async function createServer({ config, log, db, auth, party, permissions: { rights } }: Needs) {
  const refusals = createRefusalLimit()
  const isTrusted = trustedProxies(config.trustedProxies)
  const tls = config.tls && readCertificate(config.tls)
  const http = createHttp(log, auth, rights, { isTrusted, refusals, party, tls })
  if (config.tls && tls) {
    const host = new URL(config.url).hostname
    const stop = followCertificate(http.server as unknown as TlsServer, config.tls, { log, host, first: tls })
    http.addHook('onClose', async () => stop())
  }
  shareFairly(http, db.places)
  const live = await createLive({
    ...{ server: http.server, auth, db, log, rights, refusals, topics },
    most: config.liveConnections,
    addressOf: ({ socket, headers }) =>
      clientAddress(socket.remoteAddress ?? '', [headers['x-forwarded-for'] ?? []].flat().join(','), isTrusted),
    allowedOrigins: () => [config.url],
  })
  return { http, live }
}
export type Server = Awaited<ReturnType<typeof createServer>>
