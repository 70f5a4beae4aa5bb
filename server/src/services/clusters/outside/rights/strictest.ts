import { levels, networks, type SpaceSettings } from './loosens.ts'

/**
 * The settings that count for a space which uses one cluster by several registrations: it has one namespace there, so in
 * each respect those of the registration that allows least.
 */
export function strictest(first: SpaceSettings, ...others: readonly SpaceSettings[]): SpaceSettings {
  return others.reduce(stricterOf, first)
}

function stricterOf(one: SpaceSettings, other: SpaceSettings): SpaceSettings {
  const both = (a: readonly string[], b: readonly string[]) => a.filter((each) => b.includes(each))
  return {
    podSecurity: first(levels, one.podSecurity, other.podSecurity),
    network: first(networks, one.network, other.network),
    reaches: {
      internet: one.reaches.internet && other.reaches.internet,
      apiServer: one.reaches.apiServer && other.reaches.apiServer,
      namespaces: both(one.reaches.namespaces, other.reaches.namespaces),
      addresses: both(one.reaches.addresses, other.reaches.addresses),
      chartPolicies: one.reaches.chartPolicies && other.reaches.chartPolicies,
    },
    ingressNamespaces: both(one.ingressNamespaces, other.ingressNamespaces),
  }
}

/** The stricter of two settings comes first in their order. */
function first<T>(order: readonly T[], one: T, other: T): T {
  return order.indexOf(one) <= order.indexOf(other) ? one : other
}
