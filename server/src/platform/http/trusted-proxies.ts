import { BlockList, isIP } from 'node:net'

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
/** An IPv4 address in the clothes of IPv6 is an IPv4 address. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

/** Tells whether a text is an address, or a network such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, more] = text.split('/')
  const version = isIP(address)
  if (version === 0 || more !== undefined) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32))
}

/** Tells the proxies whose X-Forwarded-* headers count from everybody else; without any nobody's do. */
export function trustedProxies(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    if (prefix === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(prefix), familyOf(address))
  }
  return (address) => isIP(address) !== 0 && list.check(plain(address), familyOf(plain(address)))
}

/** The nearest address that is no trusted proxy, of a peer and what its header says about those before it. */
export function clientAddress(
  peer: string,
  forwardedFor: string | undefined,
  isTrusted: (address: string) => boolean,
): string {
  const before = (forwardedFor ?? '').split(',').map((entry) => plain(entry.trim()))
  let address = plain(peer)
  while (before.length > 0 && isTrusted(address)) {
    const next = before.pop() ?? ''
    if (isIP(next) === 0) break
    address = next
  }
  return address
}

/** Headers by which a caller could pass for somebody else at a server behind this one. */
export const believedByOthers = /^(x-forwarded-|forwarded$|x-real-ip$|x-original-|x-client-cert|impersonate-)/
