import { createHash, timingSafeEqual } from 'node:crypto'
import { anyone } from '@quayside/contract/http/policy'
import type { Registry } from 'prom-client'
import type { Config } from '../platform/config/config.ts'
import type { Db } from '../platform/db/db.ts'
import { fail } from '../platform/http/errors.ts'
import type { Http } from '../platform/http/http.ts'

interface Watched {
  db: Pick<Db, 'ping'>
  config: Pick<Config, 'metricsToken'>
  metrics: Pick<Registry, 'metrics' | 'contentType'>
  /** The answer of the last look, without a wait. */
  isIdentityThere(): boolean
  isStopping(): boolean
}

/**
 * /healthz: the process lives. /readyz: it can do its work, and what it needs and lacks; without an identity server it
 * works on for whoever is signed in. /metrics: figures for who shows the token of Prometheus.
 */
export function health(http: Http, { db, config, metrics, isIdentityThere, isStopping }: Watched): void {
  const options = { config: { policy: anyone }, schema: { hide: true } }
  http.get('/healthz', options, async () => ({ status: 'ok' }))
  http.get('/readyz', options, async (_request, reply) => {
    if (isStopping()) return reply.status(503).send({ status: 'stopping', missing: [] })
    const hasDatabase = await db.ping().then(
      () => true,
      () => false,
    )
    const missing = [...(hasDatabase ? [] : ['database']), ...(isIdentityThere() ? [] : ['identity server'])]
    if (hasDatabase) return { status: 'ready', missing }
    return reply.status(503).send({ status: 'the database cannot be reached', missing })
  })
  http.get('/metrics', options, async (request, reply) => {
    const { metricsToken } = config
    if (metricsToken === undefined) throw fail('request.not-found')
    if (!isSame(request.headers.authorization, `Bearer ${metricsToken}`)) throw fail('auth.missing')
    return reply.type(metrics.contentType).send(await metrics.metrics())
  })
}

/** Compares digests, so that neither time nor length tells how much of a guess was right. */
function isSame(guess: string | undefined, wanted: string): boolean {
  const [left, right] = [guess ?? '', wanted].map((text) => createHash('sha256').update(text).digest())
  return left !== undefined && right !== undefined && timingSafeEqual(left, right)
}
