import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Http } from '../../platform/http/http.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { aboutAnswer, aboutCall } from './about.ts'
import { auditedCalls, masksSecrets } from './calls.ts'
import type { AuditStore } from './store.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The entry of the audit log that was begun for this call. */
    auditId: string | undefined
  }
}

const longestAnswer = 256 * 1024

/**
 * Writes every call that is to change something into the log before its verb runs, so that none is carried out
 * unrecorded, and how it ended before its answer goes out.
 */
export function recordCalls(http: Http, store: AuditStore, log: Pick<Logger, 'error'>): void {
  http.decorateRequest('auditId', undefined)

  http.addHook('preHandler', async (request) => {
    const call = addressOf(request)
    if (!request.actor || !auditedCalls.has(call)) return
    const entry = entryOf(request, request.actor, call)
    request.auditId = await store.add(request.actor.tenantId, entry, { status: null, code: null })
  })

  http.addHook('onSend', async (request, reply, payload) => {
    const { actor, auditId } = request
    const call = addressOf(request)
    // A caller without the role is refused before the body is read. Mistakes in a body change nothing and are not kept.
    const isRefusedEarly = auditId === undefined && reply.statusCode === 403
    if (!actor || !auditedCalls.has(call) || (auditId === undefined && !isRefusedEarly)) return payload
    const answer = answerOf(reply, payload)
    const end = { status: reply.statusCode, code: codeOf(reply, answer) }
    const writing = isRefusedEarly
      ? store.add(actor.tenantId, entryOf(request, actor, call), end)
      : store.end(actor.tenantId, auditId ?? '', {
          ...end,
          about: reply.statusCode < 400 ? aboutEnd(request, call, answer) : {},
        })
    // The call has been carried out: whoever made it learns that, and the entry says that its end is not known.
    await writing.catch((error: unknown) =>
      log.error({ err: error, call, auditId }, 'the audit log has no end of a call'),
    )
    return payload
  })
}

const addressOf = ({ method, routeOptions }: FastifyRequest) => `${method} ${routeOptions.url ?? ''}`

function entryOf({ params, body, ip, id }: FastifyRequest, actor: Actor, call: string) {
  const { userId: user_id, username, clientId: client, personalToken } = actor
  const token = { token_id: personalToken?.id ?? null, token_name: personalToken?.name ?? null }
  return { user_id, username, client, ...token, ip_address: ip, call, about: aboutCall(params, body), request_id: id }
}

/** Names in the answer, and whether the caller was shown secrets that others see masked. */
function aboutEnd({ params, body, heldScopes }: FastifyRequest, call: string, answer: unknown) {
  const about = aboutAnswer(answer, aboutCall(params, body))
  if (!masksSecrets(call)) return about
  return { ...about, secrets: heldScopes?.has('app.secrets') ? 'shown' : 'hidden' }
}

function answerOf(reply: FastifyReply, payload: unknown): unknown {
  const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json')
  return isJson && typeof payload === 'string' && payload.length <= longestAnswer ? JSON.parse(payload) : undefined
}

const codeOf = (reply: FastifyReply, answer: unknown) =>
  reply.statusCode < 400 ? null : ((answer as { code?: string } | undefined)?.code ?? null)
