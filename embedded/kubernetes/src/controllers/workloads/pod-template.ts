import type { KubeObject } from '../../object-store.ts'
import { controllerReference } from '../engine/owners.ts'
import type { PodSpec, PodTemplate, Toleration } from '../engine/pod-kinds.ts'
import type { Draft } from '../engine/typed-store.ts'

const EVICTION_TOLERATIONS: Toleration[] = ['not-ready', 'unreachable'].map((taint) => ({
  key: `node.kubernetes.io/${taint}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}))

/** Adds the defaults that the API server's admission adds to a pod; adding them twice changes nothing. */
function completedSpec(spec: PodSpec): PodSpec {
  const tolerations = spec.tolerations ?? []
  const missing = EVICTION_TOLERATIONS.filter(
    ({ key }) =>
      !tolerations.some((own) => (!own.key || own.key === key) && (!own.effect || own.effect === 'NoExecute')),
  )
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
    enableServiceLinks: true,
    ...spec,
    serviceAccountName: spec.serviceAccountName ?? 'default',
    serviceAccount: spec.serviceAccountName ?? 'default',
    tolerations: [...tolerations, ...missing],
  }
}

export interface PodChanges {
  name: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
  generateName?: string
  spec?: Partial<PodSpec>
}

/** A pod as its controller creates it. */
export function podFromTemplate(owner: KubeObject, template: PodTemplate, changes: PodChanges): Draft {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: changes.name,
      generateName: changes.generateName,
      namespace: owner.metadata.namespace,
      labels: { ...template.metadata?.labels, ...changes.labels },
      annotations: { ...template.metadata?.annotations, ...changes.annotations },
      ownerReferences: [controllerReference(owner)],
    },
    spec: completedSpec({ ...template.spec, ...changes.spec }),
    status: { phase: 'Pending', qosClass: qosClass(template.spec) },
  }
}

/** Guaranteed, Burstable or BestEffort, by the requests and limits of all containers. */
function qosClass(spec: PodSpec): string {
  const containers = [...(spec.initContainers ?? []), ...spec.containers]
  const bounds = containers.flatMap(({ resources }) =>
    ['cpu', 'memory'].map((name) => ({ request: resources?.requests?.[name], limit: resources?.limits?.[name] })),
  )
  if (bounds.every(({ request, limit }) => request === undefined && limit === undefined)) return 'BestEffort'
  const fixed = bounds.every(
    ({ request, limit }) => limit !== undefined && (request === undefined || request === limit),
  )
  return fixed ? 'Guaranteed' : 'Burstable'
}
