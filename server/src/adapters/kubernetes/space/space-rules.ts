import type { ServedType } from '../kubernetes.ts'

/** A rule of a role as Kubernetes keeps it. */
export interface PolicyRule {
  apiGroups: string[]
  resources: string[]
  verbs: string[]
  resourceNames?: string[]
}

/** Roles of a person who uses kubectl in a space. */
const personRoles = ['viewer', 'deployer', 'manager'] as const
export type PersonRole = (typeof personRoles)[number]

/** Cluster roles that are only ever bound in the namespace of a space. */
export const roleNames = {
  account: 'quayside:deployer-account',
  viewer: 'quayside:viewer',
  deployer: 'quayside:deployer',
  manager: 'quayside:manager',
} as const
export type SpaceRoleName = (typeof roleNames)[keyof typeof roleNames]

export interface SpaceRules {
  /** Rules by the name of the cluster role. */
  roles: Record<SpaceRoleName, PolicyRule[]>
}

const rbac = 'rbac.authorization.k8s.io'
const read = ['get', 'list', 'watch']
const write = ['create', 'update', 'patch', 'delete', 'deletecollection']
const all = [...read, ...write]
/** Every verb: on resources that nobody can impersonate, and whose roles nobody can escalate or bind. */
const every = ['*']

/**
 * Groups whose resources hand out tokens, certificates or rights, Kubernetes' own and OpenShift's, and groups whose
 * programs make, with the rights of the whole cluster, what an object in any namespace says: k3s runs a HelmChart as
 * cluster-admin, builds of OpenShift run where no Pod Security holds, and proxies of Envoy Gateway are pods in its own
 * namespace. Nobody gets them as a group; roles and role bindings are named where they are allowed.
 */
const closedGroups = new Set([
  rbac,
  'authentication.k8s.io',
  'authorization.k8s.io',
  'certificates.k8s.io',
  'authorization.openshift.io',
  'oauth.openshift.io',
  'security.openshift.io',
  'user.openshift.io',
  'build.openshift.io',
  'core.oam.dev',
  'fluxcd.controlplane.io',
  'gateway.envoyproxy.io',
  'harvesterhci.io',
  'helm.fluxcd.io',
  'helm.k0sproject.io',
  'helm.m.crossplane.io',
  'helm.toolkit.fluxcd.io',
  'hnc.x-k8s.io',
  'kubernetes.m.crossplane.io',
  'kustomize.toolkit.fluxcd.io',
  'operator.cluster.x-k8s.io',
  'operators.coreos.com',
  'terraform.core.oam.dev',
])
/** Rancher, k3s and RKE2 have a group for each of their programs. */
const isClosed = (group: string) => closedGroups.has(group) || group.endsWith('.cattle.io')

/**
 * Core resources by name, because a star would hold `serviceaccounts/token`. States of pods and services are read only:
 * who writes an address there is proxied to it. Nobody has `services/proxy` or `pods/proxy`: charts write endpoints by hand,
 * a pod that has ended keeps its address while others get it, and the API server would connect whoever asks to whatever
 * has that address, past the network policies of other spaces. Quotas and limits are set for the space by whoever runs the
 * cluster.
 */
const core = {
  kept: words('configmaps persistentvolumeclaims pods podtemplates replicationcontrollers secrets services events'),
  parts: words('pods/attach pods/exec pods/portforward pods/eviction pods/resize'),
  scales: ['replicationcontrollers/scale'],
  read: words(`limitranges resourcequotas resourcequotas/status pods/log pods/status services/status
    persistentvolumeclaims/status replicationcontrollers/status`),
}

/**
 * Rights of a viewer. They leave out everything with a pod template or the environment of a pod, where values are in
 * clear, and Secrets, and every API group that is not listed here, because its objects may hold anything.
 */
const viewed: readonly (readonly [string, string])[] = [
  [
    '',
    'configmaps endpoints events limitranges persistentvolumeclaims pods/log resourcequotas serviceaccounts services',
  ],
  ['apps', 'deployments/scale replicasets/scale statefulsets/scale'],
  ['autoscaling', 'horizontalpodautoscalers'],
  ['coordination.k8s.io', 'leases'],
  ['discovery.k8s.io', 'endpointslices'],
  ['events.k8s.io', 'events'],
  ['gateway.networking.k8s.io', 'gateways grpcroutes httproutes tcproutes tlsroutes udproutes'],
  ['metrics.k8s.io', 'pods'],
  ['networking.k8s.io', 'ingresses networkpolicies'],
  ['policy', 'poddisruptionbudgets'],
]

/** Groups of network plugins, whose policies open the network as those of Kubernetes do. */
export const networkGroups: ReadonlySet<string> = new Set([
  'cilium.io',
  'crd.antrea.io',
  'crd.nsx.vmware.com',
  'crd.projectcalico.org',
  'danm.k8s.io',
  'egressgateway.spidernet.io',
  'isovalent.com',
  'k8s.cni.cncf.io',
  'k8s.ovn.org',
  'kubeovn.io',
  'network.openshift.io',
  'network.operator.openshift.io',
  'networking.k8s.aws',
  'nsx.vmware.com',
  'policy.networking.k8s.io',
  'projectcalico.org',
  'spiderpool.spidernet.io',
  'vpcresources.k8s.aws',
  'whereabouts.cni.cncf.io',
])
/** The same in groups that have other things as well. */
export const networkResources = [
  { group: 'networking.gke.io', kind: 'FQDNNetworkPolicy', resource: 'fqdnnetworkpolicies' },
] as const

/** Resources that people may read and only charts may write: they redirect a service, or open the network to others. */
const readByPeople = new Set([
  ...networkResources.map(({ group, resource }) => `${group}/${resource}`),
  'discovery.k8s.io/endpointslices',
  'networking.k8s.io/networkpolicies',
  'storage.k8s.io/csistoragecapacities',
])

/**
 * The rules of the cluster roles of spaces, from what the cluster serves. None holds `serviceaccounts/token`, nor the
 * verbs impersonate, escalate or bind, nor more of a namespace than to look at it.
 * @param coming groups that a release brings definitions for: its roles name them before the cluster serves them
 */
export function spaceRules(served: readonly ServedType[], coming: readonly string[] = []): SpaceRules {
  const groups = groupsOf(served)
  return {
    roles: {
      [roleNames.account]: accountRules([...new Set([...groups.keys(), ...coming])].filter(isGivenWhole).sort()),
      [roleNames.viewer]: viewerRules(groups),
      [roleNames.deployer]: deployerRules(groups),
      [roleNames.manager]: [...deployerRules(groups), rule(rbac, ['roles', 'rolebindings'], read)],
    },
  }
}

/** Kubernetes lets nobody put more into a role than they hold: a chart's roles are limited by these rules. */
function accountRules(groups: readonly string[]): PolicyRule[] {
  const { kept, parts, scales } = core
  return [
    namespaceItself,
    rule('', [...kept, ...parts, ...scales, 'endpoints', 'pods/ephemeralcontainers'], every),
    rule('', core.read, read),
    rule('', ['serviceaccounts'], all),
    rule(rbac, ['roles', 'rolebindings'], all),
    ...groups.map((group) => rule(group, ['*'], every)),
  ]
}

function viewerRules(groups: ReadonlyMap<string, ReadonlySet<string>>): PolicyRule[] {
  const rules = viewed
    .filter(([group]) => group === '' || groups.has(group))
    .map(([group, resources]) => rule(group, words(resources), read))
  return [namespaceItself, ...rules]
}

function deployerRules(groups: ReadonlyMap<string, ReadonlySet<string>>): PolicyRule[] {
  const { kept, parts, scales } = core
  const byGroup = [...groups].filter(([group]) => isGivenWhole(group)).sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    namespaceItself,
    rule('', [...kept, ...parts, ...scales, 'serviceaccounts'], all),
    rule('', [...core.read, 'endpoints'], read),
    ...byGroup.flatMap(([group, resources]) => peopleRules(group, [...resources].sort())),
  ]
}

function peopleRules(group: string, resources: readonly string[]): PolicyRule[] {
  const isRead = (resource: string) =>
    resource.endsWith('/status') || networkGroups.has(group) || readByPeople.has(`${group}/${resource}`)
  const parts = [
    rule(
      group,
      resources.filter((resource) => !isRead(resource)),
      all,
    ),
    rule(group, resources.filter(isRead), read),
  ]
  return parts.filter(({ resources: named }) => named.length > 0)
}

/** Namespaced resources with their parts, by group; the core group is not among them. */
function groupsOf(served: readonly ServedType[]): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>()
  for (const { apiVersion, resource, parts, namespaced } of served) {
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''
    if (!namespaced || group === '' || resource === '') continue
    const known = groups.get(group) ?? new Set()
    const shown = parts.filter((part) => part === 'scale' || part === 'status')
    for (const name of [resource, ...shown.map((part) => `${resource}/${part}`)]) known.add(name)
    groups.set(group, known)
  }
  return groups
}

/** Tells whether the account of a space has every right on the objects of a group, once the cluster serves it. */
export const isGivenWhole = (group: string) => group !== '' && group !== '*' && !isClosed(group)

/** Tells whether the account of a space may make objects of this kind there, once the cluster serves it. */
export function isMadeByCharts(group: string, kind: string): boolean {
  const name = kind.toLowerCase()
  if (group === rbac) return ['role', 'rolebinding'].includes(name)
  if (group !== '') return isGivenWhole(group)
  return ['endpoints', 'serviceaccount'].includes(name) || core.kept.includes(`${name}s`)
}

/** Bound in a namespace, this lets its holder look at that namespace alone. Writing it would take its labels away. */
const namespaceItself: PolicyRule = { apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }

function rule(group: string, resources: readonly string[], verbs: readonly string[]): PolicyRule {
  return { apiGroups: [group], resources: [...resources], verbs: [...verbs] }
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
