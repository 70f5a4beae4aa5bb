import type { MessageType } from '@quayside/contract/deployments/endpoints'
import { Failure } from '../../../platform/http/errors.ts'
import { type ActionContext, pause } from './action-context.ts'

/** How long an API that lets nobody in is waited for, as long as nothing was written to the cluster. */
export const retrySeconds = 120
const longestWaitMs = 15_000
/** Status codes of an API that is unavailable or too busy at the moment. */
const later = new Set<unknown>([429, 502, 503, 504])

/** Messages of Go's client when a call never got through, and of an API server that is too busy. */
const turnedAway = [
  /\b(?:Get|Post|Put|Patch|Delete) "https?:[^"]*": .*(?:connection refused|connection reset|broken pipe|\bEOF\b|no route to host|network is unreachable|i\/o timeout|TLS handshake timeout|http2: )/,
  /the server (?:is currently unable to handle the request|has received too many requests)|too many requests/i,
]

/** Tells whether these words of Helm say that the cluster's API was not available, not that it refused. */
export function isApiUnavailable(said: string | null): boolean {
  return said !== null && turnedAway.some((pattern) => pattern.test(said))
}

/** The cluster's API answers nobody now, or says that it is too busy: another time it may do the same thing well. */
export function isAway(error: unknown): error is Failure {
  if (!(error instanceof Failure)) return false
  if (error.code === 'cluster.unreachable') return true
  return error.code === 'cluster.refused' && later.has(error.details?.status)
}

export function waitMs(tries: number): number {
  return Math.min(longestWaitMs, 1000 * 2 ** tries)
}

/** Does what can be repeated, again and again while the cluster's API is away; the log says what is waited for. */
export async function withRetry<T>(
  { journal, waiting }: Pick<ActionContext, 'journal' | 'waiting'>,
  type: MessageType,
  work: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + retrySeconds * 1000
  for (let tries = 0; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      const wait = waitMs(tries)
      if (!isAway(error) || performance.now() + wait > until) throw error
      journal.say(type, error.message, 'error')
      journal.say(type, `Waiting for the API of the cluster, trying again in ${wait / 1000} s`)
      await pause(wait, waiting)
    }
  }
}
