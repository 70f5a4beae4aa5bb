import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

const addresses = new WeakMap<IncomingMessage, string>()

/** An IPv4 address in the clothes of IPv6 is an IPv4 address. */
const plain = (address: string) => address.trim().replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Addresses and networks whose `X-Forwarded-For` is believed: this machine, where the portal is, and those given. */
export function trustedProxies(given: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of ['127.0.0.0/8', '::1', ...given]) {
    const [address = '', prefix] = entry.split('/')
    if (prefix === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address))
}

/** Headers by which somebody could pass for somebody else. */
const believedByOthers = /^(x-forwarded-|forwarded$|x-real-ip$|x-original-|x-client-cert|impersonate-)/

/**
 * Reads once from whom a request comes: the nearest address that is no trusted proxy. The headers that say so are taken
 * away, so that nothing behind reads them in another way.
 */
export function readClientAddress(req: IncomingMessage, isTrusted: (address: string) => boolean): void {
  const forwarded = [req.headers['x-forwarded-for'] ?? []].flat().join(',').split(',').map(plain).filter(Boolean)
  let address = plain(req.socket.remoteAddress ?? '')
  while (forwarded.length > 0 && isTrusted(address)) address = forwarded.pop() ?? address
  addresses.set(req, isIP(address) === 0 ? plain(req.socket.remoteAddress ?? '') : address)
  for (const name of Object.keys(req.headers)) if (believedByOthers.test(name)) delete req.headers[name]
}

/** The address of the person. */
export const clientAddress = (req: IncomingMessage): string =>
  addresses.get(req) ?? plain(req.socket.remoteAddress ?? '')
