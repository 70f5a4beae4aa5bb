import type { PolicyRule } from '../auth/rules.ts'
import type { Draft } from '../store/memory-store.ts'

const GROUP = 'rbac.authorization.k8s.io'
const BOOTSTRAP = { 'kubernetes.io/bootstrapping': 'rbac-defaults' }
const READ = ['get', 'list', 'watch']
const CHANGE = ['create', 'delete', 'deletecollection', 'patch', 'update']

const words = (text: string): string[] => text.trim().split(/\s+/)

const CORE_VIEW = words(
  `configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers
   replicationcontrollers/scale serviceaccounts services services/status bindings events limitranges namespaces/status
   pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status namespaces`,
)
const CORE_EDIT = words(
  `pods pods/attach pods/exec pods/portforward pods/proxy pods/eviction configmaps events persistentvolumeclaims
   replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy`,
)
const APPS = words(
  `daemonsets deployments deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale`,
)
const APPS_VIEW = [
  ...APPS,
  ...words('controllerrevisions daemonsets/status deployments/status replicasets/status statefulsets/status'),
]
const BATCH = ['cronjobs', 'jobs']
const INGRESS = ['ingresses', 'networkpolicies']

const rule = (apiGroups: string[], resources: string[], verbs: string[]): PolicyRule => ({
  apiGroups,
  resources,
  verbs,
})

const VIEW: PolicyRule[] = [
  rule([''], CORE_VIEW, READ),
  rule(['discovery.k8s.io'], ['endpointslices'], READ),
  rule(['apps'], APPS_VIEW, READ),
  rule(['autoscaling'], ['horizontalpodautoscalers', 'horizontalpodautoscalers/status'], READ),
  rule(['batch'], [...BATCH, 'cronjobs/status', 'jobs/status'], READ),
  rule(['policy'], ['poddisruptionbudgets', 'poddisruptionbudgets/status'], READ),
  rule(['networking.k8s.io'], [...INGRESS, 'ingresses/status'], READ),
  rule(['metrics.k8s.io'], ['pods', 'nodes'], READ),
]

const EDIT: PolicyRule[] = [
  rule([''], ['pods/attach', 'pods/exec', 'pods/portforward', 'pods/proxy', 'secrets', 'services/proxy'], READ),
  rule([''], ['serviceaccounts'], ['impersonate']),
  rule([''], CORE_EDIT, CHANGE),
  rule([''], ['serviceaccounts/token'], ['create']),
  rule(['apps'], APPS, CHANGE),
  rule(['autoscaling'], ['horizontalpodautoscalers'], CHANGE),
  rule(['batch'], BATCH, CHANGE),
  rule(['policy'], ['poddisruptionbudgets'], CHANGE),
  rule(['networking.k8s.io'], INGRESS, CHANGE),
  rule(['coordination.k8s.io'], ['leases'], [...CHANGE, ...READ]),
]

const ADMIN: PolicyRule[] = [
  rule(['authorization.k8s.io'], ['localsubjectaccessreviews'], ['create']),
  rule([GROUP], ['rolebindings', 'roles'], [...CHANGE, ...READ]),
]

const DISCOVERY = words('/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/')
const SELF_REVIEWS = ['selfsubjectaccessreviews', 'selfsubjectrulesreviews']

const meta = (name: string, labels: Record<string, string> = {}) => ({
  name,
  labels: { ...BOOTSTRAP, ...labels },
  annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
})

const role = (name: string, rules: PolicyRule[], labels?: Record<string, string>): Draft => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'ClusterRole',
  metadata: meta(name, labels),
  rules,
})

const label = (target: string) => `rbac.authorization.k8s.io/aggregate-to-${target}`

/** A role whose rules are those of all roles with its label. */
const collected = (name: string, parts: PolicyRule[], labels?: Record<string, string>): Draft => ({
  ...role(name, parts, labels),
  aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label(name)]: 'true' } }] },
})

const part = (target: string, rules: PolicyRule[]): Draft =>
  role(`system:aggregate-to-${target}`, rules, { [label(target)]: 'true' })

const binding = (name: string, kind: 'Group' | 'User', subjects: string[]): Draft => ({
  apiVersion: `${GROUP}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: meta(name),
  roleRef: { apiGroup: GROUP, kind: 'ClusterRole', name },
  subjects: subjects.map((subject) => ({ apiGroup: GROUP, kind, name: subject })),
})

const EVERYTHING: PolicyRule[] = [rule(['*'], ['*'], ['*']), { nonResourceURLs: ['*'], verbs: ['*'] }]

/** The roles that every cluster has. */
export const CLUSTER_ROLES: readonly Draft[] = [
  role('cluster-admin', EVERYTHING),
  part('view', VIEW),
  part('edit', EDIT),
  part('admin', ADMIN),
  collected('view', VIEW, { [label('edit')]: 'true' }),
  collected('edit', [...VIEW, ...EDIT], { [label('admin')]: 'true' }),
  collected('admin', [...VIEW, ...EDIT, ...ADMIN]),
  role('system:discovery', [{ nonResourceURLs: DISCOVERY, verbs: ['get'] }]),
  role('system:public-info-viewer', [
    { nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'], verbs: ['get'] },
  ]),
  role('system:basic-user', [
    rule(['authorization.k8s.io'], SELF_REVIEWS, ['create']),
    rule(['authentication.k8s.io'], ['selfsubjectreviews'], ['create']),
  ]),
  role('system:service-account-issuer-discovery', [
    { nonResourceURLs: ['/.well-known/openid-configuration', '/openid/v1/jwks'], verbs: ['get'] },
  ]),
  role('system:auth-delegator', [
    rule(['authentication.k8s.io'], ['tokenreviews'], ['create']),
    rule(['authorization.k8s.io'], ['subjectaccessreviews'], ['create']),
  ]),
]

const ALL = 'system:authenticated'

export const CLUSTER_ROLE_BINDINGS: readonly Draft[] = [
  binding('cluster-admin', 'Group', ['system:masters']),
  binding('system:discovery', 'Group', [ALL]),
  binding('system:basic-user', 'Group', [ALL]),
  binding('system:public-info-viewer', 'Group', [ALL, 'system:unauthenticated']),
  binding('system:service-account-issuer-discovery', 'Group', ['system:serviceaccounts']),
]
