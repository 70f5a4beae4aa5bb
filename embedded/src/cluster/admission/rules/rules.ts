import type { FieldError } from '../../field-error.ts'
import type { GroupResource, KubeObject } from '../../object-store.ts'
import * as configuration from './configuration.ts'
import { metadataErrors } from './names.ts'
import * as network from './network.ts'
import * as workloads from './workloads.ts'

type Rule = (draft: KubeObject, old?: KubeObject, subresource?: string) => FieldError[]

const RULES: Partial<Record<GroupResource, Rule>> = {
  '/pods': workloads.pod,
  'apps/deployments': workloads.workload,
  'apps/replicasets': workloads.workload,
  'apps/daemonsets': workloads.workload,
  'apps/statefulsets': workloads.statefulSet,
  'batch/jobs': workloads.job,
  'batch/cronjobs': workloads.cronJob,
  'autoscaling/horizontalpodautoscalers': workloads.autoscaler,
  '/services': network.service,
  'networking.k8s.io/ingresses': network.ingress,
  '/secrets': configuration.secret,
  '/configmaps': configuration.configMap,
  '/persistentvolumeclaims': configuration.claim,
  'storage.k8s.io/storageclasses': configuration.storageClass,
  'rbac.authorization.k8s.io/roles': configuration.role,
  'rbac.authorization.k8s.io/clusterroles': configuration.role,
  'rbac.authorization.k8s.io/rolebindings': configuration.roleBinding,
  'rbac.authorization.k8s.io/clusterrolebindings': configuration.roleBinding,
  'apiextensions.k8s.io/customresourcedefinitions': configuration.definition,
}

/** Everything that is wrong with a draft, in the order in which its fields come. */
export function objectErrors(
  resource: GroupResource,
  draft: KubeObject,
  old?: KubeObject,
  subresource?: string,
): FieldError[] {
  return [...metadataErrors(resource, draft, old), ...(RULES[resource]?.(draft, old, subresource) ?? [])]
}
