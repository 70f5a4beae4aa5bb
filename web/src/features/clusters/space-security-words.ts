import type { NetworkReach } from '@quayside/contract/clusters/network-reach'
import type { OutsideObject, PodSecurity, SpaceNetwork } from '@quayside/contract/clusters/rules'

/** Levels of Pod Security, from the strictest on, with what each means for pods. */
export const podSecurityLevels: readonly { value: PodSecurity; label: string; text: string }[] = [
  { value: 'restricted', label: 'Restricted', text: 'No root and no extra privileges: suits hardened charts' },
  { value: 'baseline', label: 'Baseline', text: 'No access to the node: suits most charts' },
  {
    value: 'privileged',
    label: 'Privileged',
    text: 'No restrictions, including access to the node: only for people trusted with the whole cluster',
  },
]

export const networks: readonly { value: SpaceNetwork; label: string; text: string }[] = [
  {
    value: 'own',
    label: 'Own pods only',
    text: 'Pods of the space, DNS and what is ticked. Not reachable through the ingress',
  },
  {
    value: 'standard',
    label: 'Standard',
    text: 'Pods of the space, DNS and what is ticked. Reachable through the ingress',
  },
  { value: 'open', label: 'Open', text: 'No restrictions: also pods of other spaces' },
]

export const labelOf = <V extends string>(all: readonly { value: V; label: string }[], value: V): string =>
  all.find((one) => one.value === value)?.label ?? value

/** 'ClusterRole metrics-reader', 'Role leader in kube-system'. */
export function objectWords({ kind, name, namespace }: Pick<OutsideObject, 'kind' | 'name' | 'namespace'>): string {
  return namespace === null ? `${kind} ${name}` : `${kind} ${name} in ${namespace}`
}

/** 'the internet, the API server, monitoring'; the empty text where nothing more is open. */
export function reachWords({ internet, apiServer, namespaces, addresses, chartPolicies }: NetworkReach): string {
  return [
    ...(internet ? ['the internet'] : []),
    ...(apiServer ? ['the API server'] : []),
    ...namespaces,
    ...addresses,
    ...(chartPolicies ? ['what charts open'] : []),
  ].join(', ')
}
