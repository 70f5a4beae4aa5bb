import type { GroupResource, KubeObject, OwnerReference } from '../../object-store.ts'
import type { TypedStore } from './typed-store.ts'

/** Plurals of the built-in kinds that can own or be owned, by group and kind. */
const PLURALS: Record<string, string> = {
  '/Pod': 'pods',
  '/Service': 'services',
  '/Secret': 'secrets',
  '/ConfigMap': 'configmaps',
  '/ServiceAccount': 'serviceaccounts',
  '/Endpoints': 'endpoints',
  '/Namespace': 'namespaces',
  '/Node': 'nodes',
  '/Event': 'events',
  '/LimitRange': 'limitranges',
  '/ResourceQuota': 'resourcequotas',
  '/PodTemplate': 'podtemplates',
  '/PersistentVolumeClaim': 'persistentvolumeclaims',
  '/PersistentVolume': 'persistentvolumes',
  '/ReplicationController': 'replicationcontrollers',
  'apps/Deployment': 'deployments',
  'apps/ReplicaSet': 'replicasets',
  'apps/StatefulSet': 'statefulsets',
  'apps/DaemonSet': 'daemonsets',
  'apps/ControllerRevision': 'controllerrevisions',
  'batch/Job': 'jobs',
  'batch/CronJob': 'cronjobs',
  'autoscaling/HorizontalPodAutoscaler': 'horizontalpodautoscalers',
  'policy/PodDisruptionBudget': 'poddisruptionbudgets',
  'networking.k8s.io/Ingress': 'ingresses',
  'networking.k8s.io/NetworkPolicy': 'networkpolicies',
  'networking.k8s.io/IngressClass': 'ingressclasses',
  'discovery.k8s.io/EndpointSlice': 'endpointslices',
  'coordination.k8s.io/Lease': 'leases',
  'storage.k8s.io/StorageClass': 'storageclasses',
  'rbac.authorization.k8s.io/Role': 'roles',
  'rbac.authorization.k8s.io/RoleBinding': 'rolebindings',
  'rbac.authorization.k8s.io/ClusterRole': 'clusterroles',
  'rbac.authorization.k8s.io/ClusterRoleBinding': 'clusterrolebindings',
  'apiextensions.k8s.io/CustomResourceDefinition': 'customresourcedefinitions',
  'apiregistration.k8s.io/APIService': 'apiservices',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': 'validatingwebhookconfigurations',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': 'mutatingwebhookconfigurations',
}

const CLUSTER_SCOPED = new Set([
  '/Namespace',
  '/Node',
  '/PersistentVolume',
  'networking.k8s.io/IngressClass',
  'storage.k8s.io/StorageClass',
  'rbac.authorization.k8s.io/ClusterRole',
  'rbac.authorization.k8s.io/ClusterRoleBinding',
  'apiextensions.k8s.io/CustomResourceDefinition',
  'apiregistration.k8s.io/APIService',
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration',
  'admissionregistration.k8s.io/MutatingWebhookConfiguration',
])

/** The resources that live in namespaces, built in or defined. */
export function namespacedResources(store: TypedStore): GroupResource[] {
  const builtIn = Object.entries(PLURALS)
    .filter(([kind]) => !CLUSTER_SCOPED.has(kind))
    .map(([kind, plural]): GroupResource => `${groupOf(kind)}/${plural}`)
  const defined = store
    .list('apiextensions.k8s.io/customresourcedefinitions')
    .filter(({ spec }) => spec.scope === 'Namespaced')
    .map(({ spec }): GroupResource => `${spec.group}/${spec.names.plural}`)
  return [...builtIn, ...defined]
}

/** Every resource the garbage collector looks through when it starts. */
export function allResources(store: TypedStore): GroupResource[] {
  const builtIn = Object.entries(PLURALS).map(([kind, plural]): GroupResource => `${groupOf(kind)}/${plural}`)
  const definitions = store.list('apiextensions.k8s.io/customresourcedefinitions')
  return [...builtIn, ...definitions.map(({ spec }): GroupResource => `${spec.group}/${spec.names.plural}`)]
}

/** Where objects of a kind live, and whether in namespaces. */
export function resourceOfKind(
  store: TypedStore,
  apiVersion: string,
  kind: string,
): { resource: GroupResource; namespaced: boolean } | undefined {
  const group = apiVersion.includes('/') ? groupOf(apiVersion) : ''
  const plural = PLURALS[`${group}/${kind}`]
  if (plural) return { resource: `${group}/${plural}`, namespaced: !CLUSTER_SCOPED.has(`${group}/${kind}`) }
  const definition = store
    .list('apiextensions.k8s.io/customresourcedefinitions')
    .find(({ spec }) => spec.group === group && spec.names.kind === kind)
  if (!definition) return undefined
  return { resource: `${group}/${definition.spec.names.plural}`, namespaced: definition.spec.scope === 'Namespaced' }
}

function groupOf(path: string): string {
  return path.slice(0, path.indexOf('/'))
}

/** The reference a controller puts on what it makes. */
export function controllerReference(owner: KubeObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  }
}

export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller)
}

/** Watches for "something of mine changed": the key of the controller, when it is of this kind. */
export function keyOfController(object: KubeObject, kind: string): string[] {
  const reference = controllerOf(object)
  return reference?.kind === kind ? [`${object.metadata.namespace ?? ''}/${reference.name}`] : []
}
