import type { NetworkReach } from '@quayside/contract/clusters/network-reach'
import type { PodSecurity, SpaceNetwork } from '@quayside/contract/clusters/rules'
import type { KubeObject } from '../kubernetes.ts'

export const networkPolicyName = 'quayside-space'
const modes = ['enforce', 'audit', 'warn']

/** Labels by which a cluster refuses pods that the level does not allow. */
export function podSecurityLabels(level: PodSecurity): Record<string, string> {
  return Object.fromEntries(modes.map((mode) => [`pod-security.kubernetes.io/${mode}`, level]))
}

/** Label of a space's namespace: `any` where network policies that the portal did not make open what they say. */
export const networkPoliciesLabel = 'quayside.io/network-policies'

/** The label by which the cluster judges the network policies of a space; see own-networks.ts. */
export function networkPoliciesLabels({ network, reaches }: SpaceIsolation): Record<string, string> {
  return { [networkPoliciesLabel]: network === 'open' || reaches.chartPolicies ? 'any' : 'own-pods' }
}

/** Annotation of a space's namespace: the classes of priority that its pods may name, with commas between them. */
export const priorityClassesAnnotation = 'quayside.io/priority-classes'

/** Where addresses of the clusters' own pods, services and nodes lie; the rest is the world. */
const inside = {
  v4: ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
  v6: ['fc00::/7', 'fe80::/10'],
}

/** The settings that isolate a space on a cluster. */
export interface SpaceIsolation {
  podSecurity: PodSecurity
  network: SpaceNetwork
  reaches: NetworkReach
  /** Classes of priority that pods may name although they drive others off their nodes. */
  priorityClasses: readonly string[]
  /** Namespaces of ingress controllers. */
  ingressNamespaces: readonly string[]
  /** Addresses of the API server with their ports, which operators talk to. */
  apiServers: readonly { ip: string; port: number }[]
}

interface NetworkOfSpace extends SpaceIsolation {
  namespace: string
  labels: Record<string, string>
}

/** The policy that keeps spaces apart: undefined where the space is open. */
export function networkPolicyOf(space: NetworkOfSpace): KubeObject | undefined {
  const { namespace, network, reaches, ingressNamespaces, labels } = space
  if (network === 'open') return undefined
  const own = [{ podSelector: {} }]
  const callers = [...(network === 'standard' ? ingressNamespaces : []), ...reaches.namespaces]
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: networkPolicyName, namespace, labels },
    spec: {
      podSelector: {},
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: own }, ...(callers.length > 0 ? [{ from: [namespacesCalled(callers)] }] : [])],
      egress: [
        { to: own },
        dns,
        ...(reaches.internet ? [toWorld] : []),
        ...(reaches.apiServer ? toApiServers(space) : []),
        ...(reaches.namespaces.length > 0 ? [{ to: [namespacesCalled(reaches.namespaces)] }] : []),
        ...(reaches.addresses.length > 0 ? [{ to: reaches.addresses.map((cidr) => ({ ipBlock: { cidr } })) }] : []),
      ],
    },
  }
}

const namespacesCalled = (names: readonly string[]) => ({
  namespaceSelector: {
    matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'In', values: [...new Set(names)] }],
  },
})

const dns = {
  to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }],
  ports: [
    { protocol: 'UDP', port: 53 },
    { protocol: 'TCP', port: 53 },
  ],
}

const toWorld = {
  to: [{ ipBlock: { cidr: '0.0.0.0/0', except: inside.v4 } }, { ipBlock: { cidr: '::/0', except: inside.v6 } }],
}

function toApiServers({ apiServers }: NetworkOfSpace) {
  return apiServers.map(({ ip, port }) => ({
    to: [{ ipBlock: { cidr: ip.includes(':') ? `${ip}/128` : `${ip}/32` } }],
    ports: [{ protocol: 'TCP', port }],
  }))
}
