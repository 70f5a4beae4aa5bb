import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isAllowedAddress, PrivateAddressError } from '../kubernetes/address-guard.ts'
import { AddressRefused, openGuarded } from './open-guarded.ts'

/** A failure to get an answer, as a sentence without anything secret in it. */
export class RequestFailed extends Error {
  override name = 'RequestFailed'
}

/** An address that is not asked, or an answer that is too long: it says nothing about whether anybody is there. */
export class RequestRefused extends RequestFailed {
  override name = 'RequestRefused'
}

/** A sign-in as the header `authorization` has it, and the one origin that it is for. */
export interface Credentials {
  origin: string
  authorization: string
}

interface Asking {
  accept: string
  credentials: Credentials | undefined
  /** For the whole way, redirects and the body among it. */
  timeoutMs: number
  maxBytes: number
  signal: AbortSignal
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** The address that answered, after redirects. */
  url: URL
  /** The body in chunks, at most as many bytes as were asked for; more is a failure. */
  chunks(): AsyncIterable<Buffer>
  text(): Promise<string>
  /** Lets go of a body that nobody reads. */
  close(): void
}

export interface OutgoingRules {
  allowPrivateAddresses: boolean
  /** Addresses `host:port` that may lie inside, and may be asked without TLS. */
  allowedAddresses: readonly string[]
}

const mostRedirects = 5

/**
 * Asks addresses that a tenant wrote, or that the answers of such addresses name. Each hop of a redirect is checked like
 * the first, and credentials go to their own origin alone.
 */
export function createHttpFetcher({ allowPrivateAddresses, allowedAddresses }: OutgoingRules) {
  const open = (url: URL, { accept, credentials }: Asking, signal: AbortSignal) =>
    openGuarded(url, {
      isAllowed: allowPrivateAddresses || isAllowedAddress(url.href, allowedAddresses),
      headers: {
        accept,
        ...(credentials?.origin === url.origin ? { authorization: credentials.authorization } : {}),
      },
      signal,
    })

  return async (address: URL, asking: Asking): Promise<Answer> => {
    const signal = AbortSignal.any([asking.signal, AbortSignal.timeout(asking.timeoutMs)])
    const { response, url } = await followRedirects(address, mostRedirects, (hop) =>
      open(hop, asking, signal).catch((error: unknown) => {
        throw failureOf(error, hop, asking)
      }),
    )
    return toAnswer(response, url, asking)
  }
}
export type HttpFetcher = ReturnType<typeof createHttpFetcher>

/** The first answer that is no redirect, and the address that gave it. Each hop is opened like the first. */
export async function followRedirects(
  address: URL,
  most: number,
  open: (hop: URL) => Promise<IncomingMessage>,
): Promise<{ response: IncomingMessage; url: URL }> {
  let url = address
  for (let redirects = 0; redirects <= most; redirects += 1) {
    const response = await open(url)
    const { location } = response.headers
    if (!location || !/^30[12378]$/.test(String(response.statusCode))) return { response, url }
    response.destroy()
    if (!URL.canParse(location, url)) throw new RequestFailed(`${url.host} redirects to an invalid address.`)
    url = new URL(location, url)
  }
  throw new RequestFailed(`${address.host} redirects more than ${most} times.`)
}

function toAnswer(response: IncomingMessage, url: URL, asking: Asking): Answer {
  async function* chunks(): AsyncIterable<Buffer> {
    let size = 0
    try {
      for await (const chunk of response) {
        size += (chunk as Buffer).length
        if (size > asking.maxBytes) throw new RequestRefused(tooLong(url, asking.maxBytes))
        yield chunk as Buffer
      }
      if (!response.complete) throw new RequestFailed(`${url.host} broke off in the middle of its answer.`)
    } catch (error) {
      throw failureOf(error, url, asking)
    } finally {
      response.destroy()
    }
  }
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    url,
    chunks,
    async text() {
      const all: Buffer[] = []
      for await (const chunk of chunks()) all.push(chunk)
      return Buffer.concat(all).toString('utf8')
    },
    close: () => void response.destroy(),
  }
}

const tooLong = (url: URL, bytes: number) => `${url.host} sends more than ${Math.floor(bytes / 1024 / 1024)} MiB.`

/** One sentence for a name that leads inside and for one that leads nowhere: which one it is tells of the inside. */
const nobodyAt = (url: URL) => `Nobody answers at ${url.host}, or this portal may not ask there.`

/** Codes of a connection whose certificate was looked at, which is after the address was found to be one to ask. */
const certificateCodes = /^(?:CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/

/** A failure of the connection as a sentence; the reason of the caller's own signal stays as it is. */
export function failureOf(
  error: unknown,
  url: URL,
  { signal, timeoutMs }: Pick<Asking, 'signal' | 'timeoutMs'>,
): unknown {
  if (error instanceof RequestFailed) return error
  if (signal.aborted) return signal.reason
  if (error instanceof AddressRefused)
    return new RequestRefused(`${url.host || url.protocol} cannot be asked: ${error.message}.`)
  if (error instanceof PrivateAddressError) return new RequestFailed(nobodyAt(url), { cause: error })
  const { name, code } = error as { name?: string; code?: unknown }
  if (name === 'AbortError' || name === 'TimeoutError')
    return new RequestFailed(`${url.host} has not answered within ${timeoutMs / 1000} seconds.`)
  if (certificateCodes.test(String(code))) return new RequestFailed(`The certificate of ${url.host} is not trusted.`)
  return new RequestFailed(nobodyAt(url), { cause: error })
}
