import { lookup } from 'node:dns'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'

const TIMEOUT_MS = 5_000

/** Addresses at which a machine tells about itself, its credentials among it. */
const isLinkLocal = (address: string) => ipaddr.process(address).range() === 'linkLocal'

const guarded: LookupFunction = (hostname, options, callback) =>
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '', 0)
    const [first] = found
    if (!first || found.some(({ address }) => isLinkLocal(address)))
      return callback(new Error(`${hostname} is not an address that can be told anything`), '', 0)
    if (options.all) callback(null, found)
    else callback(null, first.address, first.family)
  })

/**
 * Posts a form to an address that an administrator gave, and reads nothing of the answer but its status: redirects are
 * not followed.
 * @throws when nobody answers in time, or the address is one of the link alone
 */
export function postForm(address: string, fields: Record<string, string>): Promise<number> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (ipaddr.isValid(host) && isLinkLocal(host)) return Promise.reject(new Error(`${host} cannot be told anything`))
  const body = new URLSearchParams(fields).toString()
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        lookup: guarded,
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
