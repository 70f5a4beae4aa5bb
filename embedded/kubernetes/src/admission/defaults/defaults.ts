import type { GroupResource, KubeObject } from '../../object-store.ts'
import * as configuration from './configuration.ts'
import * as network from './network.ts'
import * as workloads from './workloads.ts'

type Fill = (draft: KubeObject) => void

/** The client library knows its kinds by shape only; an admitted object has the shape of its kind. */
const as =
  <T>(fill: (draft: T) => void): Fill =>
  (draft) =>
    fill(draft as unknown as T)

const FILLS: Partial<Record<GroupResource, Fill>> = {
  '/pods': as(workloads.pod),
  '/podtemplates': as(workloads.podTemplate),
  '/replicationcontrollers': as(workloads.replicationController),
  '/namespaces': as(configuration.namespace),
  '/secrets': as(configuration.secret),
  '/persistentvolumeclaims': as(configuration.claim),
  '/persistentvolumes': as(configuration.volume),
  '/limitranges': as(configuration.limitRange),
  '/resourcequotas': as(configuration.quota),
  '/events': as(configuration.event),
  '/services': as(network.service),
  '/endpoints': as(network.endpoints),
  'discovery.k8s.io/endpointslices': as(network.endpointSlice),
  'networking.k8s.io/networkpolicies': as(network.networkPolicy),
  'apps/deployments': as(workloads.deployment),
  'apps/statefulsets': as(workloads.statefulSet),
  'apps/daemonsets': as(workloads.daemonSet),
  'apps/replicasets': as(workloads.replicaSet),
  'batch/jobs': as(workloads.job),
  'batch/cronjobs': as(workloads.cronJob),
  'autoscaling/horizontalpodautoscalers': as(configuration.autoscaler),
  'rbac.authorization.k8s.io/rolebindings': as(configuration.binding),
  'rbac.authorization.k8s.io/clusterrolebindings': as(configuration.binding),
  'storage.k8s.io/storageclasses': as(configuration.storageClass),
  'scheduling.k8s.io/priorityclasses': as(configuration.priorityClass),
  'admissionregistration.k8s.io/validatingwebhookconfigurations': as(configuration.webhooks),
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': as(configuration.mutatingWebhooks),
  'apiextensions.k8s.io/customresourcedefinitions': as(configuration.definition),
  'apiregistration.k8s.io/apiservices': as(configuration.apiService),
}

const NEW_FILLS: Partial<Record<GroupResource, Fill>> = {
  '/persistentvolumeclaims': as(configuration.newClaim),
  '/persistentvolumes': as(configuration.newVolume),
  '/services': as(network.newlyBalanced),
  'networking.k8s.io/ingresses': as(network.newlyBalanced),
}

/** Gives a draft the values that its kind has for what was left out. */
export function fillDefaults(resource: GroupResource, draft: KubeObject, isNew: boolean): void {
  FILLS[resource]?.(draft)
  if (isNew) NEW_FILLS[resource]?.(draft)
}
