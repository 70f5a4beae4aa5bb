import { anyone } from '@quayside/contract/policy'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Db } from '../kernel/db.ts'
import type { Http } from '../kernel/http.ts'

/** /healthz: the process lives. /readyz: it can do its work. /metrics: figures for Prometheus. */
export function health(http: Http, db: Db, isStopping: () => boolean): void {
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
  http.get('/metrics', options, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
}
