import { log } from '@quayside/contract/clusters/logs'
import { logPolicies } from '@quayside/contract/clusters/policies'
import type { FastifyReply } from 'fastify'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Access } from '../../../platform/auth/rights.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Http } from '../../../platform/http/http.ts'
import { serve } from '../../../platform/http/route.ts'
import type { Clusters } from '../index.ts'
import { createHidden } from './followed-secrets.ts'
import { createJsonLines } from './json-lines.ts'
import { openPodLog } from './pod-log.ts'

const recheckMs = 2000

/** Logs as they are written, for as long as the reader stays and may read them. */
export function logRoutes(http: Http, clusters: Clusters): void {
  serve(http, log, logPolicies, {
    async appLog(call) {
      const { actor, params, query, reply } = call
      const { hide, signal, reader } = await begin(clusters, call)
      const lines = createJsonLines(signal)
      const scope = () => clusters.scopes.of(actor.tenantId, params.id)
      const reading = { person: `${actor.tenantId}|${actor.userId}`, scope, hide, write: lines.write, signal }
      clusters
        .readAppLog(reading, { ...query, follow: query.follow === 'true' })
        .then(() => lines.body.end())
        .catch((error: Error) => (signal.aborted ? lines.body.end() : lines.body.destroy(error)))
        .finally(() => reader.abort())
      return unstored(reply, 'application/x-ndjson').send(lines.body)
    },

    async podLog(call) {
      const { actor, params, query, reply } = call
      const { app, connection, parts } = await clusters.scopes.of(actor.tenantId, params.id)
      // A pod that is not the app's own does not exist here.
      if (!parts.some(({ kind, name }) => kind === 'Pod' && name === params.pod)) throw fail('cluster.pod-not-found')
      const { hide, signal, reader } = await begin(clusters, call)
      const { follow, previous, timestamps, ...rest } = query
      const options = {
        ...rest,
        follow: follow === 'true',
        previous: previous === 'true',
        timestamps: timestamps === 'true',
      }
      const text = await openPodLog(connection, app.namespace, params.pod, { ...options, hide }, signal)
      text.once('close', () => reader.abort())
      return unstored(reply, 'text/plain; charset=utf-8').send(text)
    },
  })
}

interface Call {
  actor: Actor
  params: { id: string }
  reply: FastifyReply
  access: Access
  mustStillBeAllowed: () => Promise<Access>
}

/** Begins an answer that ends when its reader leaves, and within seconds of their losing the right to it. */
async function begin({ scopes, redactor }: Clusters, { actor, params, reply, access, mustStillBeAllowed }: Call) {
  const reader = new AbortController()
  reply.raw.once('close', () => reader.abort())
  const { hide, lookAgain } = await createHidden({
    access,
    mustStillBeAllowed,
    release: async () => (await scopes.of(actor.tenantId, params.id)).content?.release,
    redactor: (release) => redactor(actor.tenantId, params.id, release),
  })
  const timer = setInterval(() => lookAgain().catch(() => reader.abort()), recheckMs)
  reader.signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  return { hide, signal: reader.signal, reader }
}

function unstored(reply: FastifyReply, type: string): FastifyReply {
  return reply.type(type).header('cache-control', 'no-store').header('x-accel-buffering', 'no')
}
