import { lookup } from 'node:dns'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Addresses of foreign providers beyond those of the public internet that may be asked. */
export interface Outbound {
  allowPrivate: boolean
  /** Each as `host:port`, letter by letter. */
  allowed: readonly string[]
}

export const publicOnly: Outbound = { allowPrivate: false, allowed: [] }

const TIMEOUT_MS = 10_000
const MOST_BYTES = 256 * 1024

export class Unreachable extends Error {
  override name = 'Unreachable'
}

/** The answer is longer than anything that is read. */
export class TooLarge extends Unreachable {
  override name = 'TooLarge'
}

const isPublic = (address: string) => ipaddr.process(address).range() === 'unicast'

export function isAllowed(url: URL, { allowPrivate, allowed }: Outbound): boolean {
  return allowPrivate || allowed.includes(`${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`)
}

/** The fault of an address that is never asked; undefined for one that may be. */
export function addressProblem(address: string, outbound: Outbound): string | undefined {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return 'must be an address with https://'
  if (url.username !== '' || url.password !== '' || url.hash !== '') return 'must have no user name, password or #'
  if (isAllowed(url, outbound)) return undefined
  if (url.protocol !== 'https:') return 'must begin with https://'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(host) && !isPublic(host) ? `${host} is not a public address` : undefined
}

/** The socket goes to an address that was looked at: a name cannot lead elsewhere a moment later. */
const publicLookup: LookupFunction = (hostname, options, done) =>
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return done(error, '', 0)
    const [first] = found
    if (!first || found.some(({ address }) => !isPublic(address)))
      return done(new Unreachable(`${hostname} is not a public address`), '', 0)
    if (options.all) done(null, found)
    else done(null, first.address, first.family)
  })

async function read(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    size += (chunk as Buffer).length
    if (size > MOST_BYTES) {
      answer.destroy()
      throw new TooLarge(`the answer has more than ${MOST_BYTES} bytes`)
    }
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: unknown
}

/** Asks a foreign server within bounds: its address, ten seconds, and no more than fits; redirects are not followed. */
export const boundedFetch =
  (outbound: Outbound) =>
  async (address: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Response> => {
    const problem = addressProblem(address, outbound)
    if (problem !== undefined) throw new Unreachable(`${address.slice(0, 200)} ${problem}`)
    const url = new URL(address)
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const text = body === undefined || body === null ? undefined : String(body)
    const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = send(
        url,
        {
          ...{ method, signal, headers: { ...headers, ...length } },
          ...(isAllowed(url, outbound) ? {} : { lookup: publicLookup }),
        },
        resolve,
      )
      asked.once('error', reject)
      asked.end(text)
    })
    const bytes = await read(answer)
    const status = answer.statusCode ?? 502
    const isEmpty = status === 204 || status === 304
    return new Response(isEmpty ? null : new Uint8Array(bytes), {
      status,
      headers: Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
        typeof value === 'string' && name !== 'transfer-encoding' ? [[name, value]] : [],
      ),
    })
  }
