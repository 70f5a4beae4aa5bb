import type {
  CoreV1Event,
  V1APIService,
  V1ClusterRoleBinding,
  V1CustomResourceDefinition,
  V1LimitRange,
  V1MutatingWebhookConfiguration,
  V1Namespace,
  V1PersistentVolume,
  V1PersistentVolumeClaim,
  V1PriorityClass,
  V1ResourceQuota,
  V1Secret,
  V1StorageClass,
  V1ValidatingWebhookConfiguration,
  V2HorizontalPodAutoscaler,
} from '@kubernetes/client-node'
import { fill } from './fill.ts'

const RBAC = 'rbac.authorization.k8s.io'

export function namespace(object: V1Namespace): void {
  const name = object.metadata?.name ?? ''
  fill(object, { metadata: {}, spec: {}, status: { phase: 'Active' } })
  if (object.metadata) object.metadata.labels = { ...object.metadata.labels, 'kubernetes.io/metadata.name': name }
  fill(object.spec ?? {}, { finalizers: ['kubernetes'] })
}

export function secret(object: V1Secret): void {
  fill(object, { type: 'Opaque' })
  const { stringData } = object
  if (!stringData) return
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(text).toString('base64')])
  object.data = { ...object.data, ...Object.fromEntries(encoded) }
  delete object.stringData
}

function protect(metadata: { finalizers?: string[] } | undefined, finalizer: string): void {
  if (!metadata || metadata.finalizers?.includes(finalizer)) return
  metadata.finalizers = [...(metadata.finalizers ?? []), finalizer]
}

export function claim(object: V1PersistentVolumeClaim): void {
  if (object.spec) fill(object.spec, { volumeMode: 'Filesystem' })
}

export function newClaim(object: V1PersistentVolumeClaim): void {
  fill(object, { status: { phase: 'Pending' } })
  protect(object.metadata, 'kubernetes.io/pvc-protection')
}

export function volume(object: V1PersistentVolume): void {
  if (object.spec) fill(object.spec, { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' })
}

export function newVolume(object: V1PersistentVolume): void {
  fill(object, { status: { phase: 'Pending' } })
  protect(object.metadata, 'kubernetes.io/pv-protection')
}

export function storageClass(object: V1StorageClass): void {
  fill(object, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' })
}

export function binding(object: V1ClusterRoleBinding): void {
  for (const subject of object.subjects ?? []) {
    fill(subject, { apiGroup: subject.kind === 'ServiceAccount' ? undefined : RBAC })
  }
  if (object.roleRef) fill(object.roleRef, { apiGroup: RBAC })
}

export function autoscaler({ spec }: V2HorizontalPodAutoscaler): void {
  if (!spec) return
  const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } }
  fill(spec, { minReplicas: 1 })
  if (!spec.metrics?.length) spec.metrics = [{ type: 'Resource', resource: cpu }]
  const { behavior } = spec
  if (!behavior) return
  fill(behavior, { scaleUp: {}, scaleDown: {} })
  fill(behavior.scaleUp ?? {}, {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  })
  fill(behavior.scaleDown ?? {}, {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
  })
}

export function webhooks(object: V1ValidatingWebhookConfiguration | V1MutatingWebhookConfiguration): void {
  for (const webhook of object.webhooks ?? []) {
    fill(webhook, {
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: {},
      timeoutSeconds: 10,
    })
    if (webhook.clientConfig?.service) fill(webhook.clientConfig.service, { port: 443 })
    for (const rule of webhook.rules ?? []) fill(rule, { scope: '*' })
  }
}

export function mutatingWebhooks(object: V1MutatingWebhookConfiguration): void {
  webhooks(object)
  for (const webhook of object.webhooks ?? []) fill(webhook, { reinvocationPolicy: 'Never' })
}

export function apiService({ spec }: V1APIService): void {
  if (spec?.service) fill(spec.service, { port: 443 })
}

export function definition({ spec }: V1CustomResourceDefinition): void {
  if (!spec?.names) return
  const { kind = '' } = spec.names
  fill(spec.names, { singular: kind.toLowerCase(), listKind: `${kind}List` })
  fill(spec, { conversion: { strategy: 'None' } })
}

export function priorityClass(object: V1PriorityClass): void {
  fill(object, { preemptionPolicy: 'PreemptLowerPriority' })
}

export function limitRange({ spec }: V1LimitRange): void {
  for (const item of spec?.limits ?? []) {
    if (item.type !== 'Container') continue
    const limits = { ...item.max, ...item._default, ...(item as { default?: Record<string, string> }).default }
    if (Object.keys(limits).length > 0) Object.assign(item, { default: limits })
    const requests = { ...item.min, ...limits, ...item.defaultRequest }
    if (Object.keys(requests).length > 0) item.defaultRequest = requests
  }
}

export function quota(object: V1ResourceQuota): void {
  fill(object, { status: {} })
}

export function event(object: CoreV1Event): void {
  fill(object, { type: 'Normal', source: {} })
}
