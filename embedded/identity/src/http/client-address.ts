import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

const addresses = new WeakMap<IncomingMessage, string>()

/** An IPv4 address in the clothes of IPv6 is an IPv4 address. */
const plain = (address: string) => address.trim().replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** This machine, where the portal is: it knows whose `X-Forwarded-For` to believe, and hands on one address. */
const thisMachine = new BlockList()
thisMachine.addSubnet('127.0.0.0', 8, 'ipv4')
thisMachine.addAddress('::1', 'ipv6')
const isThisMachine = (address: string) => isIP(address) !== 0 && thisMachine.check(address, familyOf(address))

/** Headers by which somebody could pass for somebody else. */
const believedByOthers = /^(x-forwarded-|forwarded$|x-real-ip$|x-original-|x-client-cert|impersonate-)/

/**
 * Reads once from whom a request comes: the nearest address that is not this machine. The headers that say so are taken
 * away, so that nothing behind reads them in another way.
 */
export function readClientAddress(req: IncomingMessage): void {
  const forwarded = [req.headers['x-forwarded-for'] ?? []].flat().join(',').split(',').map(plain).filter(Boolean)
  let address = plain(req.socket.remoteAddress ?? '')
  while (forwarded.length > 0 && isThisMachine(address)) address = forwarded.pop() ?? address
  addresses.set(req, isIP(address) === 0 ? plain(req.socket.remoteAddress ?? '') : address)
  for (const name of Object.keys(req.headers)) if (believedByOthers.test(name)) delete req.headers[name]
}

/** The address of the person. */
export const clientAddress = (req: IncomingMessage): string =>
  addresses.get(req) ?? plain(req.socket.remoteAddress ?? '')
