import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'

/** Address that this server does not connect to. */
class UnreachableAddress extends Error {
  override name = 'UnreachableAddress'
}

/** One sentence for a name that leads inside and for one that leads nowhere: which one it is tells of the inside. */
const refusal =
  'This host is not known, or is in a private network. The operator can allow host:port by QUAYSIDE_ALLOWED_ADDRESSES.'

const isPublic = (address: string): boolean => ipaddr.process(address).range() === 'unicast'

/**
 * Finds the address of a host once, so that the one which was judged is the one that is connected to.
 * @param allowed `host:port` of servers that may be anywhere
 */
export async function reachableAddress(host: string, port: number, allowed: readonly string[]): Promise<string> {
  const found = await lookup(host.replace(/\.$/, ''), { all: true }).catch(() => [])
  const isAllowed = allowed.includes(`${host}:${port}`)
  const [first] = found.filter(({ address }) => isAllowed || isPublic(address))
  if (!first || (!isAllowed && !found.every(({ address }) => isPublic(address)))) throw new UnreachableAddress(refusal)
  return first.address
}
