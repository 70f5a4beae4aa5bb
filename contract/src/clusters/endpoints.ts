import { z } from 'zod'
import { DeletionAccepted } from '../deployments/deletion.ts'
import { endpointsOf } from '../http/endpoint.ts'
import { limits } from '../http/limits.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, DisplayName, Id } from '../http/primitives.ts'

const endpoint = endpointsOf('cluster')

export const Health = z.enum(['healthy', 'degraded', 'unreachable', 'unknown'])

export const Cluster = z.object({
  id: z.string(),
  name: z.string(),
  displayName: z.string(),
  iaas: z.object({ type: z.string().describe('the provider') }),
  server: z.string().describe('address of the API server'),
  version: z.string().nullable(),
  /** The built-in cluster: everything but the running of containers is real. */
  simulated: z.boolean(),
  /** Charts may make outside of their space's namespace what the list and approvals say; off, nothing at all. */
  clusterScoped: z.boolean(),
  /** Namespaces from which pods of every space may be reached: where the ingress controller runs. */
  ingressNamespaces: z.array(z.string()),
  health: Health,
  healthMessage: z.string().nullable(),
  nodes: z.object({ ready: z.number(), total: z.number() }),
  capacity: z.object({ cpuMillis: z.number(), memoryBytes: z.number(), pods: z.number() }),
  requested: z.object({ cpuMillis: z.number(), memoryBytes: z.number(), pods: z.number() }),
  appCount: z.number(),
  spaceCount: z.number(),
  checkedAt: z.string().nullable(),
  createdAt: z.string(),
})
export type Cluster = z.infer<typeof Cluster>

const clusterFields = {
  displayName: DisplayName,
  iaas: z.strictObject({ type: z.string().trim().min(1).max(40) }),
  kubeconfig: z.string().min(1, 'kubeconfig required').max(limits.kubeconfigBytes),
  context: z.string().max(200).optional(),
  clusterScoped: z.boolean(),
  ingressNamespaces: z
    .array(z.string().regex(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/, 'the name of a namespace'))
    .max(10),
}
export const ClusterInput = z.strictObject({
  ...clusterFields,
  iaas: clusterFields.iaas.default({ type: 'Kubernetes' }),
  clusterScoped: clusterFields.clusterScoped.default(false),
  ingressNamespaces: clusterFields.ingressNamespaces.default(['ingress-nginx']),
})
/** Fields that are left out stay unchanged. */
export const ClusterPatch = z.strictObject(clusterFields).partial()

export const ClusterNode = z.object({
  name: z.string(),
  ready: z.boolean(),
  roles: z.array(z.string()),
  version: z.string(),
  os: z.string(),
  internalIp: z.string().nullable(),
  capacity: z.object({ cpuMillis: z.number(), memoryBytes: z.number(), pods: z.number() }),
  conditions: z.array(
    z.object({ type: z.string(), status: z.string(), reason: z.string().nullable(), message: z.string().nullable() }),
  ),
  createdAt: z.string(),
})
export type ClusterNode = z.infer<typeof ClusterNode>

export const ClusterEvent = z.object({
  id: z.string(),
  type: z.string().describe('Normal or Warning'),
  reason: z.string(),
  message: z.string(),
  object: z.object({ kind: z.string(), name: z.string(), namespace: z.string().nullable() }),
  count: z.number(),
  at: z.string(),
})
export type ClusterEvent = z.infer<typeof ClusterEvent>

export const HealthCheck = z.object({
  healthy: z.boolean(),
  checks: z.array(z.object({ name: z.string(), state: z.enum(['ok', 'warning', 'failed']), message: z.string() })),
})

export const WorkloadState = z.enum(['healthy', 'progressing', 'degraded', 'failed', 'unknown'])

export const Pod = z.object({
  name: z.string(),
  namespace: z.string(),
  phase: z.string(),
  state: WorkloadState,
  /** Why it is in that state, in the cluster's words: CrashLoopBackOff, Insufficient cpu and so on. */
  message: z.string().nullable(),
  ready: z.number(),
  total: z.number(),
  restarts: z.number(),
  node: z.string().nullable(),
  ip: z.string().nullable(),
  owner: z.object({ kind: z.string(), name: z.string() }).nullable(),
  containers: z.array(
    z.object({
      name: z.string(),
      image: z.string(),
      init: z.boolean(),
      ready: z.boolean(),
      restarts: z.number(),
      state: z.string(),
      message: z.string().nullable(),
    }),
  ),
  createdAt: z.string(),
})
export type Pod = z.infer<typeof Pod>

export const Workload = z.object({
  kind: z.string().describe('Deployment, StatefulSet, DaemonSet, Job or CronJob'),
  name: z.string(),
  namespace: z.string(),
  state: WorkloadState,
  message: z.string().nullable(),
  ready: z.number(),
  desired: z.number(),
  images: z.array(z.string()),
  createdAt: z.string(),
})
export type Workload = z.infer<typeof Workload>

export const Pvc = z.object({
  name: z.string(),
  namespace: z.string(),
  phase: z.string(),
  state: WorkloadState,
  storageClass: z.string().nullable(),
  size: z.string().nullable(),
  accessModes: z.array(z.string()),
  volume: z.string().nullable(),
  message: z.string().nullable(),
  createdAt: z.string(),
})
export type Pvc = z.infer<typeof Pvc>

export const KubeService = z.object({
  name: z.string(),
  namespace: z.string(),
  type: z.string(),
  state: WorkloadState,
  clusterIp: z.string().nullable(),
  externalAddresses: z.array(z.string()),
  ports: z.array(
    z.object({
      name: z.string().nullable(),
      port: z.number(),
      targetPort: z.string(),
      nodePort: z.number().nullable(),
      protocol: z.string(),
    }),
  ),
  createdAt: z.string(),
})
export type KubeService = z.infer<typeof KubeService>

export const ServiceAccount = z.object({
  name: z.string(),
  namespace: z.string(),
  imagePullSecrets: z.array(z.string()),
  createdAt: z.string(),
})
export type ServiceAccount = z.infer<typeof ServiceAccount>

/** Running parts of an app: the release, each of its objects and those that they created, as a tree by `parent`. */
export const AppOverview = z.object({
  release: z
    .object({
      name: z.string(),
      namespace: z.string(),
      revision: z.number(),
      status: z.string(),
      chart: z.string(),
      appVersion: z.string().nullable(),
      updatedAt: z.string(),
      notes: z.string(),
    })
    .nullable(),
  state: WorkloadState,
  message: z.string().nullable(),
  objects: z.array(
    z.object({
      id: z.string(),
      parent: z.string().nullable(),
      kind: z.string(),
      name: z.string(),
      namespace: z.string().nullable(),
      state: WorkloadState,
      detail: z.string(),
    }),
  ),
  endpoints: z.array(z.object({ kind: z.string(), name: z.string(), address: z.string() })),
})
export type AppOverview = z.infer<typeof AppOverview>

export const clusters = {
  names: endpoint('GET', '/v1/clusters/list', {
    summary: 'Ids and names of all clusters',
    reply: z.object({
      data: z.array(
        z.object({ id: z.string(), name: z.string(), displayName: z.string(), iaas: z.object({ type: z.string() }) }),
      ),
    }),
  }),
  list: endpoint('GET', '/v2/clusters', {
    summary: 'Clusters of the tenant',
    query: ListQuery,
    reply: listOf(Cluster),
  }),
  get: endpoint('GET', '/v1/clusters/:id', { summary: 'One cluster', params: ById, reply: Cluster }),
  create: endpoint('POST', '/v1/clusters', {
    summary: 'Register a cluster by kubeconfig',
    body: ClusterInput,
    reply: Cluster,
    status: 201,
  }),
  update: endpoint('PUT', '/v1/clusters/:id', {
    summary: 'Change a cluster',
    params: ById,
    body: ClusterPatch,
    reply: Cluster,
  }),
  remove: endpoint('DELETE', '/v1/clusters/:id', {
    summary: 'Deregister a cluster without apps, and remove what the portal has on it; forget: without asking it',
    params: ById,
    query: z.object({ forget: z.enum(['true', 'false']).default('false') }),
    reply: DeletionAccepted,
    status: 202,
  }),
  events: endpoint('GET', '/v2/clusters/:id/events', {
    summary:
      'Events of the whole cluster and of spaces whose apps the caller sees, newest first; filters: type, namespace, kind, name',
    params: ById,
    query: ListQuery,
    reply: listOf(ClusterEvent),
  }),
  nodes: endpoint('GET', '/v1/clusters/:id/nodes', {
    summary: 'Nodes',
    params: ById,
    reply: z.object({ data: z.array(ClusterNode) }),
  }),
  healthCheck: endpoint('GET', '/v1/clusters/:id/healthCheck', {
    summary: 'Health, check by check',
    params: ById,
    reply: HealthCheck,
  }),
  storageClasses: endpoint('GET', '/v1/clusters/:id/storageClasses', {
    summary: 'Storage classes',
    params: ById,
    reply: z.object({
      data: z.array(
        z.object({ metadata: z.object({ name: z.string() }), provisioner: z.string(), isDefault: z.boolean() }),
      ),
    }),
  }),
  registrySecrets: endpoint('GET', '/v1/secrets/spaces/:spaceId/clusters/:clusterId', {
    summary: 'Registry secrets in the namespace of a space',
    params: z.object({ spaceId: Id, clusterId: Id }),
    reply: z.object({ data: z.array(z.object({ name: z.string(), registry: z.string() })) }),
  }),
  overview: endpoint('GET', '/v1/apps/:id/overview', {
    summary: 'What runs of an app, as a tree',
    params: ById,
    reply: AppOverview,
  }),
  pods: endpoint('GET', '/v1/apps/:id/pods', {
    summary: 'Pods of an app',
    params: ById,
    reply: z.object({ data: z.array(Pod) }),
  }),
  deployments: endpoint('GET', '/v1/apps/:id/deployments', {
    summary: 'Deployments and other workloads of an app',
    params: ById,
    reply: z.object({ data: z.array(Workload) }),
  }),
  pvcs: endpoint('GET', '/v1/apps/:id/pvcs', {
    summary: 'Persistent volume claims of an app',
    params: ById,
    reply: z.object({ data: z.array(Pvc) }),
  }),
  services: endpoint('GET', '/v1/apps/:id/services', {
    summary: 'Services of an app',
    params: ById,
    reply: z.object({ data: z.array(KubeService) }),
  }),
  serviceAccounts: endpoint('GET', '/v1/apps/:id/serviceAccounts', {
    summary: 'Service accounts of an app',
    params: ById,
    reply: z.object({ data: z.array(ServiceAccount) }),
  }),
  appEvents: endpoint('GET', '/v1/apps/:id/events', {
    summary: 'Events of an app, newest first',
    params: ById,
    reply: z.object({ data: z.array(ClusterEvent) }),
  }),
  deletePod: endpoint('DELETE', '/v1/apps/:appId/:namespace/pods/:pod', {
    summary: 'Delete a pod of an app in a namespace',
    params: z.object({ appId: Id, namespace: z.string().min(1).max(63), pod: z.string().min(1).max(253) }),
    status: 204,
  }),
}
