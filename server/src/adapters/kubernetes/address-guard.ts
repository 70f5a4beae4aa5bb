import { type LookupAddress, type LookupOptions, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** An address inside of the operator's own network, where a tenant's cluster must not lead. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError'
  readonly code = 'EPRIVATE'
}

const notPublic = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  notPublic.addSubnet(net, prefix, 'ipv4')

const globalIpv6 = new BlockList()
globalIpv6.addSubnet('2000::', 3, 'ipv6')
// Inside of the global range, but they wrap or stand for other addresses, or document.
for (const [net, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(net, prefix, 'ipv6')

/**
 * Tells whether an IP address is one of the public internet: not loopback, private, link-local, metadata or wrapped.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !notPublic.check(address, 'ipv4')
  return family === 6 && globalIpv6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

/** Refuses a host that is written as a private address; names are checked when they are resolved. */
export function refusePrivateLiteral(host: string): void {
  const bare = host.replace(/^\[|\]$/g, '')
  if (isIP(bare) && !isPublicAddress(bare)) throw new PrivateAddressError(`${bare} is not a public address`)
}

/** Resolves a name for a socket and lets it through only when every address of it is public. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  const family = (options as LookupOptions).family
  lookup(hostname, { all: true, family: family ?? 0 }, (error, found) => {
    if (error) return done(error, '', 0)
    const wrong = found.find(({ address }) => !isPublicAddress(address))
    if (wrong)
      return done(new PrivateAddressError(`${hostname} leads to ${wrong.address}, not a public address`), '', 0)
    if ((options as LookupOptions).all) return done(null, found as LookupAddress[])
    const [first] = found
    return first ? done(null, first.address, first.family) : done(new Error(`${hostname} has no address`), '', 0)
  })
}

/** Resolves the host of an address now; throws PrivateAddressError when it leads inside. */
export async function refusePrivateHost(host: string): Promise<void> {
  refusePrivateLiteral(host)
  if (isIP(host.replace(/^\[|\]$/g, ''))) return
  await new Promise<void>((resolve, reject) => {
    publicLookup(host, { all: true }, (error) => (error ? reject(error) : resolve()))
  })
}

/**
 * Tells whether an address is one of those, exactly as it is written: a name that leads to one of them is another
 * address.
 */
export function isAllowedAddress(address: string, allowed: readonly string[]): boolean {
  const { hostname, port, protocol } = new URL(address)
  return allowed.includes(`${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`)
}
