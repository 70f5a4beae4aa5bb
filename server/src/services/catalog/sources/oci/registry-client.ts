import type { Answer, Credentials, HttpFetcher } from '../../../../adapters/outgoing/outgoing.ts'
import { mustBeGood } from '../answers.ts'
import { readLimits } from '../limits.ts'
import { SourceFault } from '../upstream.ts'
import { type Challenge, challengeIn, isSameOwner } from './challenge.ts'

interface Asked {
  accept: string
  signal: AbortSignal
  maxBytes?: number
  timeoutMs?: number
}

/**
 * Asks a registry by the distribution specification. It signs in as the registry demands it, and remembers the token of
 * each repository for as long as the client lives, which is one run.
 */
export function createRegistryClient(get: HttpFetcher, registry: URL, credentials: Credentials | undefined) {
  const { origin } = registry
  /** `authorization` by what a request is about. */
  const tokens = new Map<string, string>()

  async function token(challenge: Challenge & { scheme: 'bearer' }, signal: AbortSignal): Promise<string> {
    const url = new URL(challenge.realm)
    if (challenge.service) url.searchParams.set('service', challenge.service)
    if (challenge.scope) url.searchParams.set('scope', challenge.scope)
    const goesThere = credentials !== undefined && url.protocol === registry.protocol && mayGo(url)
    const answer = await get(url, {
      accept: 'application/json',
      credentials: goesThere ? { ...credentials, origin: url.origin } : undefined,
      ...{ signal, timeoutMs: readLimits.listTimeoutMs, maxBytes: readLimits.jsonBytes },
    })
    const absent = `${registry.host} sends to ${url.host} to sign in, where there is nothing.`
    if (!goesThere && credentials !== undefined && answer.status !== 200) {
      answer.close()
      throw new SourceFault(
        `${registry.host} sends to ${url.host} to sign in, which belongs to another owner, so the sign-in was not sent.`,
      )
    }
    mustBeGood(answer, { isSignedIn: goesThere, absent })
    const said = jsonOf(await answer.text())
    const found = said.token ?? said.access_token
    if (typeof found !== 'string' || !/^[\x21-\x7e]{1,20000}$/.test(found))
      throw new SourceFault(`${url.host} gives no token to sign in with.`)
    return `Bearer ${found}`
  }

  const mayGo = (url: URL) => url.origin === origin || isSameOwner(registry.hostname, url.hostname)

  async function authorization(answer: Answer, signal: AbortSignal): Promise<string | undefined> {
    // Redirects lead to others, and what these demand is not for the sign-in of this registry.
    if (answer.url.origin !== origin) return undefined
    const challenge = challengeIn(answer.headers['www-authenticate'])
    if (challenge?.scheme === 'basic') return credentials?.authorization
    return challenge && token(challenge, signal)
  }

  return async (path: string, about: string, { accept, signal, ...more }: Asked): Promise<Answer> => {
    const ask = (known: string | undefined) =>
      get(new URL(path, registry), {
        ...{ accept, signal, timeoutMs: readLimits.listTimeoutMs, maxBytes: readLimits.jsonBytes },
        ...more,
        credentials: known === undefined ? undefined : { origin, authorization: known },
      })
    const answer = await ask(tokens.get(about))
    if (answer.status !== 401) return answer
    answer.close()
    const fresh = await authorization(answer, signal)
    if (fresh === undefined) return answer
    tokens.set(about, fresh)
    return ask(fresh)
  }
}
export type RegistryClient = ReturnType<typeof createRegistryClient>

/** A JSON object; an empty one for anything else. */
export function jsonOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
