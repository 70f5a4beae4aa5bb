import type { QuotaUse, WorkloadLimits } from '@quayside/contract/clusters/scaling'
import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import type { Part } from '../releases/app-parts.ts'
import { countOf, type Fields, fieldsOf, listOf, textOf } from '../workloads/fields.ts'
import { cleanOrNull, cleanText } from '../workloads/foreign-text.ts'

type Resources = Omit<WorkloadLimits['containers'][number], 'name' | 'released'>

/** A workload as it runs, beside what the newest revision of the release sets. */
export function toLimits(
  { kind, name, state, object }: Part,
  released: ManifestObject | undefined,
  autoscaler: string | undefined,
): WorkloadLimits {
  const [spec, status] = [fieldsOf(object?.spec), fieldsOf(object?.status)]
  const releasedSpec = fieldsOf(released?.body.spec)
  const releasedContainers = containersOf(releasedSpec)
  const isOnNodes = kind === 'DaemonSet'
  return {
    kind,
    name: cleanText(name, 253),
    state: state.state,
    message: cleanOrNull(state.message),
    replicas: isOnNodes ? null : countOf(spec.replicas, 1),
    ready: countOf(isOnNodes ? status.numberReady : status.readyReplicas),
    released: { replicas: typeof releasedSpec.replicas === 'number' ? releasedSpec.replicas : null },
    autoscaler: autoscaler === undefined ? null : cleanText(autoscaler, 253),
    containers: containersOf(spec)
      .slice(0, 50)
      .map((container) => ({
        name: cleanText(container.name, 63),
        ...resourcesOf(container),
        released: resourcesOf(releasedContainers.find((one) => one.name === container.name) ?? {}),
      })),
  }
}

function containersOf(spec: Fields): Fields[] {
  return listOf(fieldsOf(fieldsOf(spec.template).spec).containers)
}

function resourcesOf({ resources }: Fields): Resources {
  const { requests, limits } = fieldsOf(resources)
  return { requests: amountsOf(requests), limits: amountsOf(limits) }
}

function amountsOf(value: unknown) {
  const { cpu, memory } = fieldsOf(value)
  const said = (amount: unknown) => cleanOrNull(typeof amount === 'number' ? String(amount) : amount, 40)
  return { cpu: said(cpu), memory: said(memory) }
}

/** Names of the autoscalers of a namespace, by kind and name of the workload whose replicas they set. */
export function autoscalersByTarget(autoscalers: readonly KubeObject[]): Map<string, string> {
  return new Map(
    autoscalers.map(({ metadata, spec }) => {
      const { kind, name } = fieldsOf(fieldsOf(spec).scaleTargetRef)
      return [`${textOf(kind)}/${textOf(name)}`, metadata.name]
    }),
  )
}

/** Use of each resource that a quota counts; those that the cluster has not counted yet are left out. */
export function toQuotaUses(quotas: readonly KubeObject[]): QuotaUse[] {
  return quotas.flatMap(({ metadata, status }) => {
    const { hard, used } = fieldsOf(status)
    return Object.entries(fieldsOf(hard))
      .slice(0, 50)
      .map(([resource, amount]) => ({
        quota: cleanText(metadata.name, 253),
        resource: cleanText(resource, 253),
        used: cleanText(String(fieldsOf(used)[resource] ?? '0'), 40),
        hard: cleanText(String(amount), 40),
      }))
  })
}
