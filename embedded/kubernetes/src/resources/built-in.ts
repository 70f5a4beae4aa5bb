import { eventConversion, hpaV1Conversion } from './conversion.ts'
import { modelSchema } from './model-schema.ts'
import type { ResourceType, Subresource } from './resource-type.ts'

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const

/** One row: kind, plural, short names, flags. */
interface Row {
  kind: string
  plural: string
  short?: readonly string[]
  /** Cluster-wide. */
  wide?: true
  all?: true
  /** Counts spec changes in metadata.generation. */
  gen?: true
  subs?: readonly string[]
  /** Removed one by one alone. */
  single?: true
  /** Only asked, never kept. */
  ask?: true
  /** The model class, when it is not the version and the kind. */
  model?: string
}

const rows = (group: string, version: string, list: readonly Row[]): ResourceType[] =>
  list.map((row) => toType(group, version, row))

const scaleOf = { kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: ['get', 'patch', 'update'] } as const
const connect = (kind: string): Subresource => ({ kind, verbs: ['create', 'get'] })

function subresource(name: string, kind: string): Subresource {
  switch (name) {
    case 'scale':
      return scaleOf
    case 'log':
      return { kind, verbs: ['get'] }
    case 'exec':
    case 'attach':
    case 'portforward':
      return connect(`Pod${{ exec: 'Exec', attach: 'Attach', portforward: 'PortForward' }[name]}Options`)
    case 'proxy':
      return { kind: `${kind}ProxyOptions`, verbs: ['create', 'delete', 'get', 'patch', 'update'] }
    case 'binding':
      return { kind: 'Binding', verbs: ['create'] }
    case 'eviction':
      return { kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] }
    case 'token':
      return { kind: 'TokenRequest', group: 'authentication.k8s.io', version: 'v1', verbs: ['create'] }
    case 'finalize':
      return { kind, verbs: ['update'] }
    default:
      return { kind, verbs: ['get', 'patch', 'update'] }
  }
}

const modelOf = (version: string, kind: string) => `${version[0]?.toUpperCase()}${version.slice(1)}${kind}`

function toType(group: string, version: string, row: Row): ResourceType {
  const subresources = Object.fromEntries((row.subs ?? []).map((name) => [name, subresource(name, row.kind)]))
  const model = row.model ?? modelOf(version, row.kind)
  return {
    group,
    version,
    kind: row.kind,
    plural: row.plural,
    singular: row.kind.toLowerCase(),
    shortNames: row.short ?? [],
    categories: row.all ? ['all'] : [],
    namespaced: !row.wide,
    verbs: row.ask ? ['create'] : ALL_VERBS.filter((verb) => !row.single || verb !== 'deletecollection'),
    subresources,
    storage: `${group}/${row.plural}`,
    storageVersion: group ? `${group}/${version}` : version,
    hasGeneration: row.gen ?? false,
    schema: modelSchema(model),
  }
}

const CORE = rows('', 'v1', [
  { kind: 'Binding', plural: 'bindings', ask: true },
  { kind: 'ComponentStatus', plural: 'componentstatuses', short: ['cs'], wide: true },
  { kind: 'ConfigMap', plural: 'configmaps', short: ['cm'] },
  { kind: 'Endpoints', plural: 'endpoints', short: ['ep'] },
  { kind: 'Event', plural: 'events', short: ['ev'], model: 'CoreV1Event' },
  { kind: 'LimitRange', plural: 'limitranges', short: ['limits'] },
  { kind: 'Namespace', plural: 'namespaces', short: ['ns'], wide: true, single: true, subs: ['finalize', 'status'] },
  { kind: 'Node', plural: 'nodes', short: ['no'], wide: true, subs: ['proxy', 'status'] },
  { kind: 'PersistentVolumeClaim', plural: 'persistentvolumeclaims', short: ['pvc'], subs: ['status'] },
  { kind: 'PersistentVolume', plural: 'persistentvolumes', short: ['pv'], wide: true, subs: ['status'] },
  {
    kind: 'Pod',
    plural: 'pods',
    short: ['po'],
    all: true,
    gen: true,
    subs: [
      'attach',
      'binding',
      'ephemeralcontainers',
      'eviction',
      'exec',
      'log',
      'portforward',
      'proxy',
      'resize',
      'status',
    ],
  },
  { kind: 'PodTemplate', plural: 'podtemplates' },
  {
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    short: ['rc'],
    all: true,
    gen: true,
    subs: ['scale', 'status'],
  },
  { kind: 'ResourceQuota', plural: 'resourcequotas', short: ['quota'], subs: ['status'] },
  { kind: 'Secret', plural: 'secrets' },
  { kind: 'ServiceAccount', plural: 'serviceaccounts', short: ['sa'], subs: ['token'] },
  { kind: 'Service', plural: 'services', short: ['svc'], all: true, subs: ['proxy', 'status'] },
])

const WORKLOADS = [
  ...rows('apps', 'v1', [
    { kind: 'ControllerRevision', plural: 'controllerrevisions' },
    { kind: 'DaemonSet', plural: 'daemonsets', short: ['ds'], all: true, gen: true, subs: ['status'] },
    { kind: 'Deployment', plural: 'deployments', short: ['deploy'], all: true, gen: true, subs: ['scale', 'status'] },
    { kind: 'ReplicaSet', plural: 'replicasets', short: ['rs'], all: true, gen: true, subs: ['scale', 'status'] },
    { kind: 'StatefulSet', plural: 'statefulsets', short: ['sts'], all: true, gen: true, subs: ['scale', 'status'] },
  ]),
  ...rows('batch', 'v1', [
    { kind: 'CronJob', plural: 'cronjobs', short: ['cj'], all: true, gen: true, subs: ['status'] },
    { kind: 'Job', plural: 'jobs', all: true, gen: true, subs: ['status'] },
  ]),
  ...rows('autoscaling', 'v2', [
    {
      kind: 'HorizontalPodAutoscaler',
      plural: 'horizontalpodautoscalers',
      short: ['hpa'],
      all: true,
      subs: ['status'],
    },
  ]),
  ...rows('autoscaling', 'v1', [
    {
      kind: 'HorizontalPodAutoscaler',
      plural: 'horizontalpodautoscalers',
      short: ['hpa'],
      all: true,
      subs: ['status'],
    },
  ]).map((type) => ({ ...type, storageVersion: 'autoscaling/v2', ...hpaV1Conversion })),
  ...rows('policy', 'v1', [
    { kind: 'PodDisruptionBudget', plural: 'poddisruptionbudgets', short: ['pdb'], gen: true, subs: ['status'] },
  ]),
  ...rows('scheduling.k8s.io', 'v1', [
    { kind: 'PriorityClass', plural: 'priorityclasses', short: ['pc'], wide: true, gen: true },
  ]),
  ...rows('node.k8s.io', 'v1', [{ kind: 'RuntimeClass', plural: 'runtimeclasses', wide: true }]),
]

const NETWORK = [
  ...rows('networking.k8s.io', 'v1', [
    { kind: 'IngressClass', plural: 'ingressclasses', wide: true, gen: true },
    { kind: 'Ingress', plural: 'ingresses', short: ['ing'], gen: true, subs: ['status'] },
    { kind: 'IPAddress', plural: 'ipaddresses', short: ['ip'], wide: true },
    { kind: 'NetworkPolicy', plural: 'networkpolicies', short: ['netpol'], gen: true },
    { kind: 'ServiceCIDR', plural: 'servicecidrs', wide: true, subs: ['status'] },
  ]),
  ...rows('discovery.k8s.io', 'v1', [{ kind: 'EndpointSlice', plural: 'endpointslices', gen: true }]),
  ...rows('coordination.k8s.io', 'v1', [{ kind: 'Lease', plural: 'leases' }]),
  ...rows('events.k8s.io', 'v1', [{ kind: 'Event', plural: 'events', short: ['ev'], model: 'EventsV1Event' }]).map(
    (type) => ({ ...type, storage: '/events' as const, storageVersion: 'v1', ...eventConversion }),
  ),
]

const STORAGE = rows('storage.k8s.io', 'v1', [
  { kind: 'CSIDriver', plural: 'csidrivers', wide: true },
  { kind: 'CSINode', plural: 'csinodes', wide: true },
  { kind: 'CSIStorageCapacity', plural: 'csistoragecapacities' },
  { kind: 'StorageClass', plural: 'storageclasses', short: ['sc'], wide: true },
  { kind: 'VolumeAttachment', plural: 'volumeattachments', wide: true, subs: ['status'] },
  { kind: 'VolumeAttributesClass', plural: 'volumeattributesclasses', short: ['vac'], wide: true },
])

const ACCESS = [
  ...rows('rbac.authorization.k8s.io', 'v1', [
    { kind: 'ClusterRoleBinding', plural: 'clusterrolebindings', wide: true },
    { kind: 'ClusterRole', plural: 'clusterroles', wide: true },
    { kind: 'RoleBinding', plural: 'rolebindings' },
    { kind: 'Role', plural: 'roles' },
  ]),
  ...rows('authentication.k8s.io', 'v1', [
    { kind: 'SelfSubjectReview', plural: 'selfsubjectreviews', wide: true, ask: true },
    { kind: 'TokenReview', plural: 'tokenreviews', wide: true, ask: true },
  ]),
  ...rows('authorization.k8s.io', 'v1', [
    { kind: 'LocalSubjectAccessReview', plural: 'localsubjectaccessreviews', ask: true },
    { kind: 'SelfSubjectAccessReview', plural: 'selfsubjectaccessreviews', wide: true, ask: true },
    { kind: 'SelfSubjectRulesReview', plural: 'selfsubjectrulesreviews', wide: true, ask: true },
    { kind: 'SubjectAccessReview', plural: 'subjectaccessreviews', wide: true, ask: true },
  ]),
  ...rows('certificates.k8s.io', 'v1', [
    {
      kind: 'CertificateSigningRequest',
      plural: 'certificatesigningrequests',
      short: ['csr'],
      wide: true,
      subs: ['approval', 'status'],
    },
  ]),
]

const EXTENSION = [
  ...rows('apiextensions.k8s.io', 'v1', [
    {
      kind: 'CustomResourceDefinition',
      plural: 'customresourcedefinitions',
      short: ['crd', 'crds'],
      wide: true,
      gen: true,
      subs: ['status'],
    },
  ]).map((type) => ({ ...type, categories: ['api-extensions'] })),
  ...rows('apiregistration.k8s.io', 'v1', [
    { kind: 'APIService', plural: 'apiservices', wide: true, subs: ['status'] },
  ]).map((type) => ({ ...type, categories: ['api-extensions'] })),
  ...rows('admissionregistration.k8s.io', 'v1', [
    { kind: 'MutatingWebhookConfiguration', plural: 'mutatingwebhookconfigurations', wide: true, gen: true },
    {
      kind: 'ValidatingAdmissionPolicy',
      plural: 'validatingadmissionpolicies',
      wide: true,
      gen: true,
      subs: ['status'],
    },
    { kind: 'ValidatingAdmissionPolicyBinding', plural: 'validatingadmissionpolicybindings', wide: true, gen: true },
    { kind: 'ValidatingWebhookConfiguration', plural: 'validatingwebhookconfigurations', wide: true, gen: true },
  ]).map((type) => ({ ...type, categories: ['api-extensions'] })),
  ...rows('flowcontrol.apiserver.k8s.io', 'v1', [
    { kind: 'FlowSchema', plural: 'flowschemas', wide: true, gen: true, subs: ['status'] },
    {
      kind: 'PriorityLevelConfiguration',
      plural: 'prioritylevelconfigurations',
      wide: true,
      gen: true,
      subs: ['status'],
    },
  ]),
]

/** Everything the API serves without a CRD. */
export const BUILT_IN: readonly ResourceType[] = [
  ...CORE,
  ...WORKLOADS,
  ...NETWORK,
  ...STORAGE,
  ...ACCESS,
  ...EXTENSION,
]
