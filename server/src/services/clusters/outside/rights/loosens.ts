import type { NetworkReach } from '@quayside/contract/clusters/network-reach'
import type { PodSecurity, SpaceNetwork } from '@quayside/contract/clusters/rules'

interface Isolation {
  podSecurity: PodSecurity
  network: SpaceNetwork
  reaches: NetworkReach
}

/** The same with the namespaces of ingress controllers, which are those of the registration. */
export interface SpaceSettings extends Isolation {
  ingressNamespaces: readonly string[]
}

/** From the strictest on. */
export const levels: readonly PodSecurity[] = ['restricted', 'baseline', 'privileged']
export const networks: readonly SpaceNetwork[] = ['own', 'standard', 'open']

/** Tells whether a space is held apart less after a change of its settings, in any respect. */
export function loosens(before: Isolation, after: Isolation): boolean {
  return (
    isFurther(levels, before.podSecurity, after.podSecurity) ||
    isFurther(networks, before.network, after.network) ||
    reachesMore(before.reaches, after.reaches)
  )
}

/** Tells whether a list has anything that it did not have. */
export const hasMore = (before: readonly string[], after: readonly string[]): boolean =>
  after.some((one) => !before.includes(one))

function isFurther<T>(order: readonly T[], before: T, after: T): boolean {
  return order.indexOf(after) > order.indexOf(before)
}

function reachesMore(before: NetworkReach, after: NetworkReach): boolean {
  const opens = (['internet', 'apiServer', 'chartPolicies'] as const).some((each) => after[each] && !before[each])
  return opens || hasMore(before.namespaces, after.namespaces) || hasMore(before.addresses, after.addresses)
}
