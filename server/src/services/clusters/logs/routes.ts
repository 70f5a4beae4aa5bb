import { log } from '@quayside/contract/clusters/logs'
import { logPolicies } from '@quayside/contract/clusters/policies'
import type { FastifyReply } from 'fastify'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Access } from '../../../platform/auth/rights.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Http } from '../../../platform/http/http.ts'
import { serve } from '../../../platform/http/route.ts'
import type { Clusters } from '../index.ts'
import { createHidden, type Hidden } from './followed-secrets.ts'
import { createJsonLines } from './json-lines.ts'
import { openPodLog } from './pod-log.ts'

const recheckMs = 2000

/** Logs as they are written, for as long as the reader stays and may read them. */
export function logRoutes(http: Http, clusters: Clusters): void {
  const { redactor, scopes } = clusters
  const hiddenFrom = ({ actor, access, mustStillBeAllowed }: Call) =>
    createHidden({
      access,
      mustStillBeAllowed,
      redactor: (appId, release) => redactor(actor.tenantId, appId, release),
    })

  serve(http, log, logPolicies, {
    appLog(call) {
      const { actor, params, query } = call
      const look = () => clusters.lookAtApp(actor.tenantId, params.id)
      return readLogs(clusters, { ...call, look, query, hidden: hiddenFrom(call) })
    },

    async spaceLog(call) {
      const { actor, params, query } = call
      if (!(await clusters.space(actor.tenantId, params.id))) throw fail('space.not-found')
      const only = query.apps === undefined ? undefined : new Set(query.apps.split(','))
      const look = () => clusters.lookAtSpace(actor.tenantId, params.id, only)
      return readLogs(clusters, { ...call, look, query, hidden: hiddenFrom(call) })
    },

    async podLog(call) {
      const { actor, params, query, reply } = call
      const hidden = hiddenFrom(call)
      const scopeNow = async () => {
        const scope = await scopes.of(actor.tenantId, params.id)
        await hidden.learn(params.id, scope.content?.release)
        return scope
      }
      const { app, connection, parts } = await scopeNow()
      // A pod that is not the app's own does not exist here.
      if (!parts.some(({ kind, name }) => kind === 'Pod' && name === params.pod)) throw fail('cluster.pod-not-found')
      const reader = untilRefused(reply, async () => {
        await hidden.mustStillRead()
        // While the cluster is away nothing comes from it that had to be hidden.
        await scopeNow().catch(() => undefined)
      })
      const { follow, previous, timestamps, ...rest } = query
      const options = {
        ...{ ...rest, hide: hidden.hideOf(params.id) },
        follow: follow === 'true',
        previous: previous === 'true',
        timestamps: timestamps === 'true',
      }
      const text = await openPodLog(connection, app.namespace, params.pod, options, reader.signal)
      text.once('close', () => reader.abort())
      return unstored(reply, 'text/plain; charset=utf-8').send(text)
    },
  })
}

interface Call {
  actor: Actor
  reply: FastifyReply
  access: Access
  mustStillBeAllowed: () => Promise<Access>
}

type Look = ReturnType<Clusters['lookAtApp']>

interface Reading extends Pick<Call, 'actor' | 'reply'> {
  look: () => Look
  query: Omit<Parameters<Clusters['readLogs']>[1], 'follow'> & { follow: 'true' | 'false' }
  hidden: Hidden
}

/** Answers with lines of JSON. A cluster that cannot be read at all is a refusal, not an answer that breaks off. */
async function readLogs({ readLogs }: Clusters, { actor, reply, look, query, hidden }: Reading): Promise<FastifyReply> {
  let first: Awaited<Look> | undefined = await look()
  const reader = untilRefused(reply, hidden.mustStillRead)
  const { body, write } = createJsonLines(reader.signal)
  const lookOn = async () => {
    const seen = first ?? (await look())
    first = undefined
    return seen
  }
  const person = `${actor.tenantId}|${actor.userId}`
  readLogs(
    { person, look: lookOn, hidden, write, signal: reader.signal },
    { ...query, follow: query.follow === 'true' },
  )
    .then(() => body.end())
    .catch((error: Error) => (reader.signal.aborted ? body.end() : body.destroy(error)))
    .finally(() => reader.abort())
  return unstored(reply, 'application/x-ndjson').send(body)
}

/** Ends an answer when its reader leaves, and within seconds of their losing the right to it. */
function untilRefused(reply: FastifyReply, mustStillRead: () => Promise<void>): AbortController {
  const reader = new AbortController()
  reply.raw.once('close', () => reader.abort())
  const timer = setInterval(() => mustStillRead().catch(() => reader.abort()), recheckMs)
  reader.signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  return reader
}

function unstored(reply: FastifyReply, type: string): FastifyReply {
  return reply.type(type).header('cache-control', 'no-store').header('x-accel-buffering', 'no')
}
