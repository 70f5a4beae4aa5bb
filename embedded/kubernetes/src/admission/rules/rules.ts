import { schemaFormErrors } from '../../crd/schema-form.ts'
import type { FieldError } from '../../field-error.ts'
import type { GroupResource, KubeObject } from '../../object-store.ts'
import * as affairs from './cluster-affairs.ts'
import * as configuration from './configuration.ts'
import { metadataErrors } from './names.ts'
import * as network from './network.ts'
import { networkPolicy } from './network-policies.ts'
import { policy, policyBinding } from './policies.ts'
import { webhooks } from './webhooks.ts'
import * as workloads from './workloads.ts'

type Rule = (draft: KubeObject, old?: KubeObject, subresource?: string) => FieldError[]

const RULES: Partial<Record<GroupResource, Rule>> = {
  '/pods': workloads.pod,
  'apps/deployments': workloads.workload,
  'apps/replicasets': workloads.workload,
  'apps/daemonsets': workloads.daemonSet,
  'apps/statefulsets': workloads.statefulSet,
  'batch/jobs': workloads.job,
  'batch/cronjobs': workloads.cronJob,
  'autoscaling/horizontalpodautoscalers': workloads.autoscaler,
  '/services': network.service,
  'networking.k8s.io/ingresses': network.ingress,
  'networking.k8s.io/ingressclasses': network.ingressClass,
  'networking.k8s.io/networkpolicies': networkPolicy,
  '/secrets': configuration.secret,
  '/configmaps': configuration.configMap,
  '/persistentvolumeclaims': configuration.claim,
  '/events': affairs.event,
  '/limitranges': affairs.limitRange,
  '/resourcequotas': affairs.quota,
  'coordination.k8s.io/leases': affairs.lease,
  'policy/poddisruptionbudgets': affairs.disruptionBudget,
  'scheduling.k8s.io/priorityclasses': affairs.priorityClass,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhooks,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhooks,
  'admissionregistration.k8s.io/validatingadmissionpolicies': policy,
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': policyBinding,
  'storage.k8s.io/storageclasses': configuration.storageClass,
  'rbac.authorization.k8s.io/roles': configuration.role,
  'rbac.authorization.k8s.io/clusterroles': configuration.role,
  'rbac.authorization.k8s.io/rolebindings': configuration.roleBinding,
  'rbac.authorization.k8s.io/clusterrolebindings': configuration.roleBinding,
  'apiextensions.k8s.io/customresourcedefinitions': (draft) => [
    ...configuration.definition(draft),
    ...schemaFormErrors(draft),
  ],
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
