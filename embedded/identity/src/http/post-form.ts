import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIPv6 } from 'node:net'
import { reachableAddress } from './reachable.ts'

const TIMEOUT_MS = 5_000

/**
 * Posts a form to an address that an administrator gave, and reads nothing of the answer but its status: redirects are
 * not followed.
 * @param allowed `host:port` in private networks that may be told
 * @throws when nobody answers in time, or the address is none of the internet
 */
export async function postForm(
  address: string,
  fields: Record<string, string>,
  allowed: readonly string[],
): Promise<number> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isSecure = url.protocol === 'https:'
  const found = await reachableAddress(host, Number(url.port) || (isSecure ? 443 : 80), allowed)
  const family = isIPv6(found) ? 6 : 4
  const body = new URLSearchParams(fields).toString()
  return new Promise((resolve, reject) => {
    const sent = (isSecure ? httpsRequest : httpRequest)(
      url,
      {
        method: 'POST',
        // The address that was judged, whatever the name means by now.
        lookup: (_name, options, done) =>
          options.all ? done(null, [{ address: found, family }]) : done(null, found, family),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        resolve(response.statusCode ?? 0)
        response.destroy()
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
}
