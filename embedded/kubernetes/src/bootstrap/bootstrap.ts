import type { Clock } from '../clock.ts'
import { type NodePool, seedCluster } from '../controllers/seed.ts'
import type { GroupResource } from '../object-store.ts'
import type { ClusterStore, Draft } from '../store/memory-store.ts'
import { CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES } from './cluster-roles.ts'

interface BootstrapParts {
  store: ClusterStore
  clock: Clock
  caPem: string
  host: string
  port: number
}

const POOL: NodePool = {
  name: 'sandbox',
  count: 3,
  cpu: '16',
  memory: '64Gi',
  labels: { 'quayside.io/simulated': 'true' },
}

const priorityClass = (name: string, value: number, description: string): Draft => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value,
  description,
})

const OBJECTS: readonly (readonly [GroupResource, Draft])[] = [
  [
    'scheduling.k8s.io/priorityclasses',
    priorityClass('system-cluster-critical', 2_000_000_000, 'For pods without which the cluster does not work.'),
  ],
  [
    'scheduling.k8s.io/priorityclasses',
    priorityClass('system-node-critical', 2_000_001_000, 'For pods without which a node does not work.'),
  ],
  [
    'storage.k8s.io/storageclasses',
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: 'fast-ssd' },
      provisioner: 'sandbox.quayside.io/disk',
      parameters: { type: 'ssd' },
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
    },
  ],
  [
    'networking.k8s.io/ingressclasses',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'sandbox', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      spec: { controller: 'sandbox.quayside.io/ingress' },
    },
  ],
  [
    'networking.k8s.io/servicecidrs',
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name: 'kubernetes' },
      spec: { cidrs: ['10.96.0.0/16'] },
    },
  ],
]

const API_LABELS = { component: 'apiserver', provider: 'kubernetes' }

const apiService: Draft = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'kubernetes', namespace: 'default', labels: API_LABELS },
  spec: {
    type: 'ClusterIP',
    clusterIP: '10.96.0.1',
    ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 6443 }],
  },
}

/** The service has no selector: where it leads is written by the API server itself. */
function endpointsOf(host: string, port: number): readonly (readonly [GroupResource, Draft])[] {
  const ports = [{ name: 'https', port, protocol: 'TCP' }]
  const labels = { 'kubernetes.io/service-name': 'kubernetes' }
  return [
    [
      '/endpoints',
      {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: 'kubernetes', namespace: 'default' },
        subsets: [{ addresses: [{ ip: host }], ports }],
      },
    ],
    [
      'discovery.k8s.io/endpointslices',
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name: 'kubernetes', namespace: 'default', labels },
        addressType: 'IPv4',
        endpoints: [{ addresses: [host], conditions: { ready: true } }],
        ports,
      },
    ],
  ]
}

/** Programs that answer for an API group recognise the API server by it; their charts bind it. */
const authenticationReader: Draft = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: {
    name: 'extension-apiserver-authentication-reader',
    namespace: 'kube-system',
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' },
  },
  rules: [
    {
      apiGroups: [''],
      resources: ['configmaps'],
      resourceNames: ['extension-apiserver-authentication'],
      verbs: ['get', 'list', 'watch'],
    },
  ],
}

function ensure(store: ClusterStore, resource: GroupResource, draft: Draft, refresh = false): void {
  const { namespace, name = '' } = draft.metadata
  if (!store.get(resource, namespace, name)) store.create(resource, draft)
  else if (refresh) store.update(resource, namespace, name, (now) => ({ ...now, ...draft, metadata: now.metadata }))
}

/** Creates the objects that every new cluster has. Objects that exist already stay unchanged. */
export function bootstrap({ store, clock, caPem, host, port }: BootstrapParts): void {
  seedCluster({ store, clock, pools: store.list('/nodes').length > 0 ? [] : [POOL] })
  for (const role of CLUSTER_ROLES) ensure(store, 'rbac.authorization.k8s.io/clusterroles', role)
  for (const binding of CLUSTER_ROLE_BINDINGS) ensure(store, 'rbac.authorization.k8s.io/clusterrolebindings', binding)
  for (const [resource, draft] of OBJECTS) ensure(store, resource, draft)
  ensure(store, '/services', apiService)
  for (const [resource, draft] of endpointsOf(host, port)) ensure(store, resource, draft, true)
  ensure(store, '/configmaps', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'extension-apiserver-authentication', namespace: 'kube-system' },
    data: { 'client-ca-file': caPem },
  })
  ensure(store, 'rbac.authorization.k8s.io/roles', authenticationReader)
}
