import { createHash, timingSafeEqual } from 'node:crypto'
import { anyone } from '@quayside/contract/http/policy'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Config } from '../platform/config/config.ts'
import type { Db } from '../platform/db/db.ts'
import { fail } from '../platform/http/errors.ts'
import type { Http } from '../platform/http/http.ts'

/** /healthz: the process lives. /readyz: it can do its work. /metrics: figures for who shows the token of Prometheus. */
export function health(
  http: Http,
  db: Db,
  { metricsToken }: Pick<Config, 'metricsToken'>,
  isStopping: () => boolean,
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const options = { config: { policy: anyone }, schema: { hide: true } }
  http.get('/healthz', options, async () => ({ status: 'ok' }))
  http.get('/readyz', options, async (_request, reply) => {
    if (isStopping()) return reply.status(503).send({ status: 'stopping' })
    const isUp = await db.ping().then(
      () => true,
      () => false,
    )
    return isUp ? { status: 'ready' } : reply.status(503).send({ status: 'the database cannot be reached' })
  })
  http.get('/metrics', options, async (request, reply) => {
    if (metricsToken === undefined) throw fail('request.not-found')
    if (!isSame(request.headers.authorization, `Bearer ${metricsToken}`)) throw fail('auth.missing')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** Compares digests, so that neither time nor length tells how much of a guess was right. */
function isSame(guess: string | undefined, wanted: string): boolean {
  const [left, right] = [guess ?? '', wanted].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}
