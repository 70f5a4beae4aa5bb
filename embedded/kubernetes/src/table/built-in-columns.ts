import type { GroupResource } from '../object-store.ts'
import type { Column } from './column.ts'
import { AGE } from './column.ts'
import * as configuration from './configuration-columns.ts'
import * as network from './network-columns.ts'
import { POD_COLUMNS } from './pod-columns.ts'
import { CLAIM_COLUMNS, STORAGE_CLASS_COLUMNS, VOLUME_COLUMNS } from './storage-columns.ts'
import * as workloads from './workload-columns.ts'

/** Table columns behind the name, by kind. */
export const BUILT_IN_COLUMNS: Partial<Record<GroupResource, readonly Column[]>> = {
  '/pods': POD_COLUMNS,
  '/configmaps': configuration.CONFIG_MAP_COLUMNS,
  '/secrets': configuration.SECRET_COLUMNS,
  '/serviceaccounts': configuration.ACCOUNT_COLUMNS,
  '/namespaces': configuration.NAMESPACE_COLUMNS,
  '/nodes': configuration.NODE_COLUMNS,
  '/resourcequotas': configuration.QUOTA_COLUMNS,
  '/limitranges': [configuration.CREATED_AT],
  '/services': network.SERVICE_COLUMNS,
  '/endpoints': network.ENDPOINTS_COLUMNS,
  '/persistentvolumeclaims': CLAIM_COLUMNS,
  '/persistentvolumes': VOLUME_COLUMNS,
  '/replicationcontrollers': workloads.REPLICA_SET_COLUMNS,
  'apps/deployments': workloads.DEPLOYMENT_COLUMNS,
  'apps/replicasets': workloads.REPLICA_SET_COLUMNS,
  'apps/statefulsets': workloads.STATEFUL_SET_COLUMNS,
  'apps/daemonsets': workloads.DAEMON_SET_COLUMNS,
  'batch/jobs': workloads.JOB_COLUMNS,
  'batch/cronjobs': workloads.CRON_JOB_COLUMNS,
  'autoscaling/horizontalpodautoscalers': workloads.AUTOSCALER_COLUMNS,
  'policy/poddisruptionbudgets': workloads.BUDGET_COLUMNS,
  'discovery.k8s.io/endpointslices': network.SLICE_COLUMNS,
  'networking.k8s.io/ingresses': network.INGRESS_COLUMNS,
  'networking.k8s.io/ingressclasses': network.INGRESS_CLASS_COLUMNS,
  'networking.k8s.io/networkpolicies': network.NETWORK_POLICY_COLUMNS,
  'storage.k8s.io/storageclasses': STORAGE_CLASS_COLUMNS,
  'scheduling.k8s.io/priorityclasses': configuration.PRIORITY_COLUMNS,
  'coordination.k8s.io/leases': configuration.LEASE_COLUMNS,
  'rbac.authorization.k8s.io/roles': [configuration.CREATED_AT],
  'rbac.authorization.k8s.io/clusterroles': [configuration.CREATED_AT],
  'rbac.authorization.k8s.io/rolebindings': configuration.BINDING_COLUMNS,
  'rbac.authorization.k8s.io/clusterrolebindings': configuration.BINDING_COLUMNS,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': configuration.WEBHOOK_COLUMNS,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': configuration.WEBHOOK_COLUMNS,
  'apiextensions.k8s.io/customresourcedefinitions': configuration.DEFINITION_COLUMNS,
  'apiregistration.k8s.io/apiservices': configuration.API_SERVICE_COLUMNS,
  'certificates.k8s.io/certificatesigningrequests': configuration.SIGNING_COLUMNS,
  'node.k8s.io/runtimeclasses': [AGE],
}

/** Events have no name column: what they are about is what one looks for. */
export const COLUMNS_WITHOUT_NAME: Partial<Record<GroupResource, readonly Column[]>> = {
  '/events': configuration.EVENT_COLUMNS,
}
