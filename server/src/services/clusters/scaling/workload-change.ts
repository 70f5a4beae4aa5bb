import type { ScaleInput } from '@quayside/contract/clusters/scaling'
import type { z } from 'zod'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { countOf, type Fields, fieldsOf, listOf } from '../workloads/fields.ts'

type Amounts = { cpu: string | null; memory: string | null }

/** A change of a running workload that touches nothing else of its app. */
export type WorkloadChange = { kind: string; name: string } & (
  | { set: 'replicas'; replicas: z.output<typeof ScaleInput>['replicas'] }
  | { set: 'limits'; container: string; requests: Amounts; limits: Amounts }
  | { set: 'restart' }
)

/** Kinds whose pods all come from one template that may be changed while they run. */
export const changeableResources: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1/deployments',
  StatefulSet: 'apps/v1/statefulsets',
  DaemonSet: 'apps/v1/daemonsets',
}

/** The annotation by which `kubectl rollout restart` starts pods anew. */
const restartedAt = 'kubectl.kubernetes.io/restartedAt'

/** The workload as it is to be; undefined when it has no such container. */
export function withChange(object: KubeObject, change: WorkloadChange, now: Date): KubeObject | undefined {
  const spec = fieldsOf(object.spec)
  if (change.set === 'replicas') return { ...object, spec: { ...spec, replicas: change.replicas } }
  const template = fieldsOf(spec.template)
  if (change.set === 'restart') {
    const metadata = fieldsOf(template.metadata)
    const annotations = { ...fieldsOf(metadata.annotations), [restartedAt]: now.toISOString() }
    return { ...object, spec: { ...spec, template: { ...template, metadata: { ...metadata, annotations } } } }
  }
  const pod = fieldsOf(template.spec)
  const containers = listOf(pod.containers)
  if (!containers.some(({ name }) => name === change.container)) return undefined
  const changed = containers.map((container) =>
    container.name === change.container ? { ...container, resources: resourcesWith(container, change) } : container,
  )
  return { ...object, spec: { ...spec, template: { ...template, spec: { ...pod, containers: changed } } } }
}

/** All but fewer replicas starts pods, from the template as it is by now. */
export function startsPods({ spec }: KubeObject, change: WorkloadChange): boolean {
  return change.set !== 'replicas' || change.replicas > countOf(fieldsOf(spec).replicas, 1)
}

/** CPU and memory are replaced; what else a container asks for stays. */
function resourcesWith({ resources }: Fields, { requests, limits }: { requests: Amounts; limits: Amounts }): Fields {
  const now = fieldsOf(resources)
  const replaced = (known: unknown, { cpu, memory }: Amounts) => {
    const { cpu: _cpu, memory: _memory, ...others } = fieldsOf(known)
    return { ...others, ...(cpu === null ? {} : { cpu }), ...(memory === null ? {} : { memory }) }
  }
  return { ...now, requests: replaced(now.requests, requests), limits: replaced(now.limits, limits) }
}

/** The change as the log and the ledger tell it. */
export function wordsOf(change: WorkloadChange): string {
  const what = `${change.kind} ${change.name}`
  if (change.set === 'restart') return `${what} is restarted`
  if (change.set === 'replicas')
    return `${what} is scaled to ${change.replicas} ${change.replicas === 1 ? 'replica' : 'replicas'}`
  const { container, requests, limits } = change
  const said = (name: string, { cpu, memory }: Amounts) =>
    `${name} ${[cpu && `${cpu} CPU`, memory && `${memory} memory`].filter(Boolean).join(' and ') || 'none'}`
  return `Container ${container} of ${what} now has ${said('requests', requests)}, ${said('limits', limits)}`
}
