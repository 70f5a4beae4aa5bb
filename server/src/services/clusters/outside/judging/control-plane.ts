import { type Fields, textsOf } from '../../workloads/fields.ts'
import { allows } from './rights-in-rules.ts'

/**
 * Namespaces in which clusters keep what they are run by: Kubernetes' own, and those of OpenShift, Rancher with Fleet, GKE,
 * AKS, EKS, IBM Cloud, Tanzu and k0s.
 */
const ofClusters =
  /^(kube|openshift|cattle|fleet|gke|gmp|aks|amazon|eks|tkg|tanzu|vmware-system|k0s)-|^(openshift|gmp-public|azure-arc|app-routing-system|gatekeeper-system|aws-observability|ibm-(cert-store|observe|operators|services-system|system)|rancher-operator-system)$/

/** Tells whether a cluster keeps what it is run by in a namespace of this name. */
export const isClusters = (namespace: string) => ofClusters.test(namespace)

/** Objects by which a cluster is run: whoever changes one takes a part of it over. */
interface Part {
  group: string
  resource: string
  namespace: RegExp
  /** Undefined: all of them there. */
  names?: RegExp
  /** The danger, in the words in which the one who decides reads it. */
  why: string
}

const coordination = 'coordination.k8s.io'
const leases = { group: coordination, resource: 'leases' }
const configMaps = { group: '', resource: 'configmaps' }

const controlPlane: readonly Part[] = [
  {
    ...leases,
    namespace: /^kube-system$/,
    names:
      /^(kube-controller-manager|kube-scheduler|cloud-controller-manager|(kube-)?apiserver-.*|k3s.*|rke2.*|k0s-.*)$/,
    why: 'who holds that lease keeps a program of the control plane from working',
  },
  { ...leases, namespace: /^kube-node-lease$/, why: 'these leases tell which nodes are alive' },
  {
    ...configMaps,
    namespace: /^kube-system$/,
    names: /^(extension-apiserver-authentication|cluster-authentication.*|aws-auth)$/,
    why: 'it says whom the API servers of the cluster believe to be who they say',
  },
  {
    ...configMaps,
    namespace: /^kube-system$/,
    names: /^((.*-)?coredns(-.*)?|kube-dns|node-local-dns)$/,
    why: 'it says which addresses all pods of the cluster find under a name',
  },
  {
    ...configMaps,
    namespace: /^kube-system$/,
    names: /^(kubeadm-config|kubelet-config.*|kube-proxy.*|kube-apiserver-.*|cilium-config|calico-config)$/,
    why: 'nodes and programs of the control plane are set up by it',
  },
  { ...configMaps, namespace: /^kube-public$/, names: /^cluster-info$/, why: 'nodes join the cluster by it' },
  {
    ...configMaps,
    namespace: /^kube-/,
    names: /^kube-root-ca\.crt$/,
    why: 'it says which API server the programs there believe',
  },
  { group: '', resource: 'secrets', namespace: ofClusters, why: 'Secrets there hold credentials of the cluster' },
]

const changes = ['update', 'patch', 'delete', 'deletecollection']
const writes = [...changes, 'create']

const isOver = (rule: Fields, { group, resource }: Pick<Part, 'group' | 'resource'>, verbs: readonly string[]) =>
  allows(rule, { verbs, groups: [group], resources: [resource] })

/**
 * Why nobody gets these rules in a namespace of the cluster, or in all namespaces; undefined when somebody can be asked.
 * @param namespace null for the whole cluster: there, rights that name nothing are told by `dangersIn` instead
 */
export function overControlPlane(rules: readonly Fields[], namespace: string | null): string | undefined {
  for (const part of controlPlane) {
    if (namespace !== null && !part.namespace.test(namespace)) continue
    for (const rule of rules) {
      const names = textsOf(rule.resourceNames)
      const { resource, names: which, why } = part
      const taken = names.find((name) => which?.test(name) ?? namespace !== null)
      if (taken !== undefined && isOver(rule, part, writes))
        return `it could change ${taken}, one of the ${resource} of the cluster: ${why}`
      // Nobody can be given the right to create some names alone, and those of the control plane are taken.
      const unnamed = which ? changes : writes
      if (namespace !== null && names.length === 0 && isOver(rule, part, unnamed))
        return `it could change every one of the ${resource} in ${namespace}, because it names none: ${why}`
    }
  }
  return undefined
}

/** Why a chart gets no such rules in a namespace of the cluster, where it gets nothing but leases of its own. */
export function notInClusters(rules: readonly Fields[], namespace: string | null): string | undefined {
  if (namespace === null || !isClusters(namespace) || areLeases(rules)) return undefined
  return `in ${namespace} a chart gets nothing but leases and how to recognise the API server`
}

/** Leases by which copies of a program agree which of them works. */
function areLeases(rules: readonly Fields[]): boolean {
  return rules.every((rule) => {
    const groups = JSON.stringify(rule.apiGroups ?? [])
    const resources = JSON.stringify(rule.resources ?? [])
    const areEvents = groups === '[""]' && resources === '["events"]'
    return areEvents || (groups === `["${coordination}"]` && resources === '["leases"]')
  })
}

/** Dangers for the cluster itself that somebody may still approve, in words. */
export function dangersIn(rules: readonly Fields[], namespace: string | null): string[] {
  const isUnnamed = (rule: Fields) => textsOf(rule.resourceNames).length === 0
  const has = (part: Pick<Part, 'group' | 'resource'>, verbs: readonly string[]) =>
    rules.some((rule) => isUnnamed(rule) && isOver(rule, part, verbs))
  if (namespace === null)
    return [
      ...(has(leases, changes)
        ? ['Danger: take over the leases of kube-system, and so keep programs of the control plane from working']
        : []),
      ...(has(configMaps, changes)
        ? [
            'Danger: change the ConfigMaps of kube-system, by which names are found, nodes are set up and callers believed',
          ]
        : []),
      ...(has({ group: '', resource: 'secrets' }, writes)
        ? ['Danger: change the Secrets of kube-system, which is the whole cluster']
        : []),
    ]
  if (!isClusters(namespace)) return []
  return [
    ...(has(leases, ['create'])
      ? [`Danger: make leases of any name in ${namespace}, and so keep a program from working that has none yet`]
      : []),
    ...(rules.some(({ resourceNames }) => textsOf(resourceNames).includes('extension-apiserver-authentication'))
      ? [`reads in ${namespace} how callers are recognised that the API server passes on, and changes nothing of it`]
      : []),
  ]
}
