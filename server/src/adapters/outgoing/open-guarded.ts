import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { publicLookup, refusePrivateLiteral } from '../kubernetes/address-guard.ts'

interface Opening {
  /** Tells whether the operator lets the portal go there, wherever it leads: also inside, and also without TLS. */
  isAllowed: boolean
  headers: Readonly<Record<string, string>>
  signal: AbortSignal
  /** Body of a POST; left out, it is a GET. */
  body?: string
}

/** An address that is not asked at all. */
export class AddressRefused extends Error {
  override name = 'AddressRefused'
}

/** Throws for an address that is not asked, as far as it shows before its name is resolved. */
export function refuseUnaskable(url: URL, isAllowed: boolean): void {
  if (url.username || url.password) throw new AddressRefused('it holds a user name or a password')
  if (url.protocol !== 'https:' && !(isAllowed && url.protocol === 'http:'))
    throw new AddressRefused('it does not begin with https://')
  if (!isAllowed) refusePrivateLiteral(url.hostname)
}

/**
 * Asks an address that a stranger wrote: by https, and on the public internet, unless it is allowed. The name is resolved
 * once, for the connection itself, so that it cannot lead elsewhere after it was checked.
 */
export async function openGuarded(url: URL, { isAllowed, headers, signal, body }: Opening): Promise<IncomingMessage> {
  refuseUnaskable(url, isAllowed)
  const request = url.protocol === 'https:' ? requestTls : requestPlain
  const guard = isAllowed ? {} : { lookup: publicLookup }
  const own = { 'accept-encoding': 'identity', 'user-agent': 'quayside' }
  return new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST'
    request(url, { method, agent: false, signal, headers: { ...own, ...headers }, ...guard }, resolve)
      .on('error', reject)
      // Nothing else would tell of an answer with another protocol, not even the signal.
      .on('close', () => reject(new Error('the connection was closed without an answer')))
      .end(body)
  })
}
