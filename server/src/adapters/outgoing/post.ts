import type { IncomingMessage } from 'node:http'
import { isAllowedAddress } from '../kubernetes/address-guard.ts'
import { openGuarded, refuseUnaskable } from './open-guarded.ts'
import { failureOf, type OutgoingRules } from './outgoing.ts'

interface Posting {
  headers: Readonly<Record<string, string>>
  body: string
  timeoutMs: number
  signal: AbortSignal
}

interface PostAnswer {
  status: number
  /** The beginning of what a receiver says that did not take it. */
  text: string
}

const mostBytes = 2048

/** Sends to addresses that a tenant wrote. A redirect is an answer like any other and is not followed. */
export function createPoster({ allowPrivateAddresses, allowedAddresses }: OutgoingRules) {
  const isAllowed = (url: URL) => allowPrivateAddresses || isAllowedAddress(url.href, allowedAddresses)

  return {
    /** Tells whether nothing is ever sent to an address, whatever its name leads to. */
    refuses(url: URL): boolean {
      try {
        refuseUnaskable(url, isAllowed(url))
        return false
      } catch {
        return true
      }
    },

    /** Throws `RequestFailed` with a sentence when nobody answers. */
    async post(url: URL, { headers, body, ...asking }: Posting): Promise<PostAnswer> {
      const signal = AbortSignal.any([asking.signal, AbortSignal.timeout(asking.timeoutMs)])
      try {
        const response = await openGuarded(url, { isAllowed: isAllowed(url), headers, body, signal })
        const status = response.statusCode ?? 0
        const text = status >= 400 ? await beginning(response) : ''
        response.destroy()
        return { status, text }
      } catch (error) {
        throw failureOf(error, url, asking)
      }
    },
  }
}
export type Poster = ReturnType<typeof createPoster>

/** The answer is its status: a body that breaks off or takes too long is read as far as it came. */
async function beginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer)
      size += (chunk as Buffer).length
      if (size >= mostBytes) break
    }
  } catch {
    // The status has said it.
  }
  return Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8')
}
