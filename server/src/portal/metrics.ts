import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Db } from '../platform/db/db.ts'
import type { Http } from '../platform/http/http.ts'
import type { Live } from '../platform/live/live.ts'
import type { Deployments } from '../services/deployments/index.ts'

interface Watched {
  db: Pick<Db, 'places' | 'pool'>
  live: Pick<Live, 'sockets'>
  deployments: Pick<Deployments, 'unended'>
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Figures of this process for Prometheus: those of Node, of calls, of the database's places, of actions and sockets. */
export function createMetrics(http: Http, watched: Watched): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  countCalls(http, registry)
  watchDatabase(registry, watched.db)
  watchWork(registry, watched)
  return registry
}

function countCalls(http: Http, registry: Registry): void {
  const registers = [registry]
  const calls = new Counter({
    ...{ name: 'quayside_http_requests_total', help: 'Calls, by route and status.', registers },
    labelNames: ['method', 'route', 'status'] as const,
  })
  const durations = new Histogram({
    ...{ name: 'quayside_http_request_seconds', help: 'Seconds to the end of an answer, by route.', registers },
    ...{ labelNames: ['method', 'route'] as const, buckets: seconds },
  })
  http.addHook('onResponse', async (request, reply) => {
    const { method } = request
    // Unknown addresses share one label; otherwise every guess would create a series.
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
    calls.inc({ method, route, status: reply.statusCode })
    durations.observe({ method, route }, reply.elapsedTime / 1000)
  })
}

function watchDatabase(registry: Registry, { places, pool }: Watched['db']): void {
  const registers = [registry]
  const gauge = (name: string, help: string, states: () => Record<string, number>) =>
    new Gauge({
      ...{ name, help, registers },
      labelNames: ['state'] as const,
      collect() {
        for (const [state, count] of Object.entries(states())) this.set({ state }, count)
      },
    })
  const counter = (name: string, help: string, count: () => number) =>
    new Counter({
      ...{ name, help, registers },
      collect() {
        this.reset()
        this.inc(count())
      },
    })
  gauge('quayside_database_connections', 'Connections to the database, and who waits for one.', () => ({
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }))
  gauge('quayside_database_calls', 'Work of calls in the database, and what waits for its turn.', () => {
    const { running, waiting } = places.figures()
    return { running, waiting }
  })
  counter(
    'quayside_database_waits_total',
    'Times that work of a call waited for its turn.',
    () => places.figures().waits,
  )
  counter(
    'quayside_database_wait_seconds_total',
    'Seconds that work of calls waited for its turn.',
    () => places.figures().waitedSeconds,
  )
  counter(
    'quayside_calls_refused_total',
    'Calls that were refused because too many were waiting.',
    () => places.figures().refused,
  )
}

function watchWork(registry: Registry, { live, deployments }: Watched): void {
  const registers = [registry]
  new Gauge({
    ...{ name: 'quayside_sockets', help: 'Browsers and scripts that follow what changes, on this replica.', registers },
    collect() {
      this.set(live.sockets())
    },
  })
  new Gauge({
    ...{ name: 'quayside_actions', help: 'Actions that have not ended, of all replicas and tenants.', registers },
    labelNames: ['kind', 'state'] as const,
    async collect() {
      // Without a database the other figures are wanted most.
      const counts = await deployments.unended().catch(() => [])
      this.reset()
      for (const { kind, state, count } of counts) this.set({ kind, state }, count)
    },
  })
}
