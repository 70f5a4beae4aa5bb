import ipaddr from 'ipaddr.js'

/**
 * The address under which attempts are counted. Who has one IPv6 address mostly has the 64 bits behind its network too, and
 * counts as one by the first of them.
 */
export function countedAddress(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString()
}
