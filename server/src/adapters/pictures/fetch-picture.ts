import type { IncomingMessage } from 'node:http'
import { isAllowedAddress } from '../kubernetes/address-guard.ts'
import { openGuarded } from '../outgoing/open-guarded.ts'
import { followRedirects } from '../outgoing/outgoing.ts'

interface PictureLimits {
  maxBytes: number
  /** For the whole way, redirects among it. */
  timeoutMs: number
}

const mostRedirects = 3

/**
 * Fetches a file of an address that a stranger wrote: by https, from the public internet or an address that is allowed,
 * on the usual port, bounded in size and time, without cookies, credentials or a word about who asks. Every redirect is
 * held to the same.
 */
export function createPictureFetcher(allowedAddresses: readonly string[]) {
  async function open(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
    const isAllowed = isAllowedAddress(url.href, allowedAddresses)
    if (url.protocol !== 'https:') throw new Error('not a plain https address')
    if (url.port && !isAllowed) throw new Error('not on the usual port')
    return openGuarded(url, { isAllowed, headers: { accept: 'image/*' }, signal })
  }

  return async (address: string, { maxBytes, timeoutMs }: PictureLimits): Promise<Buffer> => {
    const signal = AbortSignal.timeout(timeoutMs)
    const { response } = await followRedirects(new URL(address), mostRedirects, (hop) => open(hop, signal))
    if (response.statusCode === 200) return readAll(response, maxBytes)
    response.destroy()
    throw new Error(`status ${response.statusCode}`)
  }
}
export type FetchPicture = ReturnType<typeof createPictureFetcher>

async function readAll(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    size += (chunk as Buffer).length
    if (size > maxBytes) {
      response.destroy()
      throw new Error(`larger than ${maxBytes} bytes`)
    }
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}
