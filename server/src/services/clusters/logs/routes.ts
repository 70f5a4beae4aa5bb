import { log } from '@quayside/contract/clusters/logs'
import { logPolicies } from '@quayside/contract/clusters/policies'
import type { FastifyReply } from 'fastify'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Access } from '../../../platform/auth/rights.ts'
import { Failure, fail } from '../../../platform/http/errors.ts'
import type { Http } from '../../../platform/http/http.ts'
import { serve } from '../../../platform/http/route.ts'
import type { Clusters } from '../index.ts'
import { createHidden, type Hidden } from './followed-secrets.ts'
import { createJsonLines } from './json-lines.ts'
import { openPodLog } from './pod-log.ts'

const recheckMs = 2000

/** Logs as they are written, for as long as the reader stays and may read them. */
export function logRoutes(http: Http, clusters: Clusters): void {
  const { redactor, lookAtApp, lookAtSpace } = clusters
  const hiddenFrom = ({ actor, access, mustStillBeAllowed }: Call) =>
    createHidden({
      access,
      mustStillBeAllowed,
      redactor: (appId, release) => redactor(actor.tenantId, appId, release),
    })

  serve(http, log, logPolicies, {
    appLog(call) {
      const { actor, params, query } = call
      const hidden = hiddenFrom(call)
      return readLogs(clusters, {
        ...{ ...call, query, hidden },
        look: () => lookAtApp(actor.tenantId, params.id, hidden),
      })
    },

    async spaceLog(call) {
      const { actor, params, query } = call
      if (!(await clusters.space(actor.tenantId, params.id))) throw fail('space.not-found')
      const only = query.apps === undefined ? undefined : new Set(query.apps.split(','))
      const hidden = hiddenFrom(call)
      return readLogs(clusters, {
        ...{ ...call, query, hidden },
        look: () => lookAtSpace(actor.tenantId, params.id, hidden, only),
      })
    },

    async podLog(call) {
      const { actor, params, query, reply } = call
      const hidden = hiddenFrom(call)
      const lookNow = () => lookAtApp(actor.tenantId, params.id, hidden)
      const reader = untilRefused(reply, async () => {
        await hidden.mustStillRead()
        // While the cluster is away nothing comes from it that had to be hidden.
        if (!hidden.showsSecrets) await lookNow().catch(unlessAway)
      })
      try {
        const { app, connection, parts } = (await lookNow()).scope
        // A pod that is not the app's own does not exist here.
        if (!parts.some(({ kind, name }) => kind === 'Pod' && name === params.pod)) throw fail('cluster.pod-not-found')
        const giveBack = clusters.takeLogPlace(personOf(actor), app.clusterId)
        if (!giveBack) throw fail('portal.busy', { message: 'Too many logs are followed. Close one and try again.' })
        reader.signal.addEventListener('abort', giveBack, { once: true })
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
      } catch (error) {
        reader.abort()
        throw error
      }
    },
  })
}

interface Call {
  actor: Actor
  reply: FastifyReply
  access: Access
  mustStillBeAllowed: () => Promise<Access>
}

type Look = ReturnType<Clusters['lookAtSpace']>

interface Reading extends Pick<Call, 'actor' | 'reply'> {
  look: () => Look
  query: Omit<Parameters<Clusters['readLogs']>[1], 'follow'> & { follow: 'true' | 'false' }
  hidden: Hidden
}

const personOf = ({ tenantId, userId }: Actor) => `${tenantId}|${userId}`

function unlessAway(error: unknown): void {
  if (!(error instanceof Failure) || error.code !== 'cluster.unreachable') throw error
}

/** Answers with lines of JSON. A cluster that cannot be read at all is a refusal, not an answer that breaks off. */
async function readLogs(clusters: Clusters, { actor, reply, look, query, hidden }: Reading): Promise<FastifyReply> {
  const reader = untilRefused(reply, hidden.mustStillRead)
  let first: Awaited<Look> | undefined = await look().catch((error: unknown) => {
    reader.abort()
    throw error
  })
  const { body, write } = createJsonLines(reader.signal)
  body.once('close', () => reader.abort())
  const lookOn = async () => {
    const seen = first ?? (await look())
    first = undefined
    return seen
  }
  const reading = { person: personOf(actor), look: lookOn, hidden, write, signal: reader.signal }
  clusters
    .readLogs(reading, { ...query, follow: query.follow === 'true' })
    .then(() => body.end())
    .catch((error: Error) => (reader.signal.aborted ? body.end() : body.destroy(error)))
  return unstored(reply, 'application/x-ndjson').send(body)
}

/** Ends an answer when its reader leaves, and within seconds of their losing the right to it. */
function untilRefused(reply: FastifyReply, mustStillRead: () => Promise<void>): AbortController {
  const reader = new AbortController()
  let isLooking = false
  const timer = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    await mustStillRead().catch(() => reader.abort())
    isLooking = false
  }, recheckMs)
  reader.signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  reply.raw.once('close', () => reader.abort())
  // It has closed already, while the call was judged.
  if (reply.raw.destroyed) reader.abort()
  return reader
}

function unstored(reply: FastifyReply, type: string): FastifyReply {
  return reply.type(type).header('cache-control', 'no-store').header('x-accel-buffering', 'no')
}
