import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { callers, type FairPlaces } from '../concurrency/fair-places.ts'
import type { Caller } from '../concurrency/fairness.ts'
import { logContext } from '../logging/log-context.ts'
import type { Http } from './http.ts'

/** A refusal is held back for so long: whoever asks again at once then costs little, however many connections they have. */
const refusalDelayMs = 500

/** Calls without a token share the places of one more tenant. */
const publicTenant = ''

function callerOf({ actor, ip, method, routeOptions }: FastifyRequest): Caller {
  const onlyReads = method === 'GET' || method === 'HEAD' || routeOptions.config.onlyReads === true
  return { tenant: actor?.tenantId ?? publicTenant, person: actor?.userId ?? ip, onlyReads, hasBegun: false }
}

/**
 * Has the work of each call counted for who makes it. A call that would be refused a place is refused before its body is
 * read; nothing has been done of it then.
 */
export function shareFairly(http: Http, places: Pick<FairPlaces, 'assertMayQueue'>): void {
  http.addHook('onRequest', async (request) => {
    if (!request.actor) return
    try {
      places.assertMayQueue(callerOf(request))
    } catch (refusal) {
      await delay(refusalDelayMs)
      throw refusal
    }
  })
  // A body arrives in events of its connection, which know nothing of its call; what follows belongs to the call.
  http.addHook('preValidation', (request, _reply, done) => {
    const { id: requestId, actor } = request
    logContext.run({ requestId, ...(actor ? { tenantId: actor.tenantId } : {}) }, () =>
      callers.run(callerOf(request), done),
    )
  })
}
