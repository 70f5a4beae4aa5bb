import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import { type Fields, fieldsOf, listOf, textOf } from '../workloads/fields.ts'
import { quantityOf } from '../workloads/quantity.ts'

/** How many, where an autoscaler decides. */
interface Span {
  low: number
  expected: number
  high: number
}

/** Resources that an object of a manifest takes once it runs: cores, bytes, or load balancers. */
interface Demand {
  object: string
  resource: 'cpu' | 'memory' | 'storage' | 'loadBalancer'
  amount: Span
  /** The class of a claim; null where neither the claim nor the cluster names one. */
  storageClass: string | null
}

/** A part of a manifest that says not how much it takes. */
interface LeftOut {
  object: string
  container: string | null
  why: 'no-cpu-request' | 'no-memory-request' | 'runs-for-a-time' | 'unreadable'
}

export interface Demands {
  demands: Demand[]
  leftOut: LeftOut[]
}

/** Settings of a cluster and a namespace for what a manifest leaves out. */
export interface Surroundings {
  /** `defaultRequest` of containers by the namespace's limit ranges, such as `{ cpu: '100m' }`. */
  defaultRequests: Fields
  defaultClass: string | null
  nodes: number
}

const running = new Set(['Pod', 'Deployment', 'StatefulSet', 'ReplicaSet', 'DaemonSet'])
const passing = new Set(['Job', 'CronJob'])
const hook = 'helm.sh/hook'
const same = (count: number): Span => ({ low: count, expected: count, high: count })
const times = ({ low, expected, high }: Span, by: number): Span => ({
  low: low * by,
  expected: expected * by,
  high: high * by,
})

/** Adds up what the objects of a manifest request, by object and resource. */
export function demandsOf(objects: readonly ManifestObject[], around: Surroundings): Demands {
  const found: Demands = { demands: [], leftOut: [] }
  const scalers = scalersOf(objects)
  for (const object of objects) {
    // A hook is gone when the action has ended.
    if (fieldsOf(fieldsOf(object.body.metadata).annotations)[hook] === undefined) look(object, scalers, around, found)
  }
  return found
}

function look(
  one: ManifestObject,
  scalers: ReadonlyMap<string, Scaler>,
  around: Surroundings,
  { demands, leftOut }: Demands,
) {
  const { kind, name, body, unreadable } = one
  const object = `${kind} ${name}`
  const relevant = running.has(kind) || passing.has(kind) || kind === 'PersistentVolumeClaim' || kind === 'Service'
  if (!relevant) return
  if (unreadable) return void leftOut.push({ object, container: null, why: 'unreadable' })
  if (passing.has(kind)) return void leftOut.push({ object, container: null, why: 'runs-for-a-time' })
  const spec = fieldsOf(body.spec)
  const claim = (given: Fields, copies: Span) => {
    const storageClass = textOf(given.storageClassName) || around.defaultClass
    const bytes = quantityOf(fieldsOf(fieldsOf(given.resources).requests).storage)
    demands.push({ object, resource: 'storage', storageClass, amount: times(copies, bytes) })
  }
  if (kind === 'Service') {
    if (spec.type === 'LoadBalancer')
      demands.push({ object, resource: 'loadBalancer', storageClass: null, amount: same(1) })
    return
  }
  if (kind === 'PersistentVolumeClaim') return claim(spec, same(1))
  const copies = copiesOf(kind, spec, scalers.get(`${kind}/${name}`), around.nodes)
  const pod = kind === 'Pod' ? spec : fieldsOf(fieldsOf(spec.template).spec)
  for (const resource of ['cpu', 'memory'] as const) {
    const { sum, without } = requestedBy(pod, resource, around.defaultRequests)
    if (sum > 0) demands.push({ object, resource, storageClass: null, amount: times(copies, sum) })
    for (const container of without) leftOut.push({ object, container, why: `no-${resource}-request` })
  }
  for (const template of listOf(spec.volumeClaimTemplates)) claim(fieldsOf(template.spec), copies)
  for (const volume of listOf(pod.volumes)) {
    const template = fieldsOf(fieldsOf(volume.ephemeral).volumeClaimTemplate)
    if (template.spec !== undefined) claim(fieldsOf(template.spec), copies)
  }
}

/** Requests of the containers of a pod that go on running, and the names of those that have none. */
function requestedBy(pod: Fields, resource: 'cpu' | 'memory', defaults: Fields) {
  const sidecars = listOf(pod.initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always')
  const without: string[] = []
  let sum = 0
  for (const { name, resources } of [...listOf(pod.containers), ...sidecars]) {
    const { requests, limits } = fieldsOf(resources)
    // A limit alone is the request as well; where neither is set, the namespace's limit range has one.
    const amount = fieldsOf(requests)[resource] ?? fieldsOf(limits)[resource] ?? defaults[resource]
    if (amount === undefined || amount === null) without.push(textOf(name))
    else sum += quantityOf(amount)
  }
  return { sum, without }
}

interface Scaler {
  min: number
  max: number
}

/** Autoscalers by the object that they scale, as `Deployment/web`. */
function scalersOf(objects: readonly ManifestObject[]): Map<string, Scaler> {
  const scalers = new Map<string, Scaler>()
  for (const { kind, body } of objects) {
    if (kind !== 'HorizontalPodAutoscaler') continue
    const { scaleTargetRef, minReplicas, maxReplicas } = fieldsOf(body.spec)
    const target = fieldsOf(scaleTargetRef)
    const min = quantityOf(minReplicas ?? 1)
    scalers.set(`${textOf(target.kind)}/${textOf(target.name)}`, { min, max: Math.max(min, quantityOf(maxReplicas)) })
  }
  return scalers
}

function copiesOf(kind: string, { replicas }: Fields, scaler: Scaler | undefined, nodes: number): Span {
  if (kind === 'Pod') return same(1)
  if (kind === 'DaemonSet') return same(nodes)
  const said = replicas === undefined || replicas === null ? undefined : quantityOf(replicas)
  if (scaler === undefined) return same(said ?? 1)
  const { min, max } = scaler
  return { low: min, expected: Math.min(max, Math.max(min, said ?? min)), high: max }
}
