import type { KubeObject } from '../../object-store.ts'
import { conditionOf, withCondition, withoutCondition } from '../engine/conditions.ts'
import { type Engine, timestamp } from '../engine/engine.ts'
import type { WorkloadStatus } from '../engine/kinds.ts'
import { generatedName } from '../engine/names.ts'
import type { Pod, PodTemplate } from '../engine/pod-kinds.ts'
import { carries } from '../engine/selectors.ts'
import { statusCode } from '../engine/typed-store.ts'
import { byExpendability, countPods, isActive } from './pod-facts.ts'
import { podFromTemplate } from './pod-template.ts'

/** No more pods than this are made or removed in one look. */
const BURST = 500

interface ReplicaOwner extends KubeObject {
  spec: { replicas?: number; template: PodTemplate; minReadySeconds?: number }
  status?: WorkloadStatus & { fullyLabeledReplicas?: number }
}

interface Failure {
  reason: 'FailedCreate' | 'FailedDelete'
  message: string
}

/** Keeps as many pods as asked for; what replica sets and replication controllers have in common. */
export function syncReplicas(
  engine: Engine,
  resource: 'apps/replicasets' | '/replicationcontrollers',
  owner: ReplicaOwner,
  component: string,
): number | undefined {
  const wanted = owner.spec.replicas ?? 1
  const failure = owner.metadata.deletionTimestamp
    ? undefined
    : adjust(engine, owner, activePods(engine, owner), wanted, component)
  const pods = activePods(engine, owner)
  const now = engine.clock.now()
  const counts = countPods(pods, owner.spec.minReadySeconds, now)
  const conditions = withFailure(owner, failure, now)
  engine.store.setStatus(resource, owner, {
    ...owner.status,
    replicas: pods.length,
    fullyLabeledReplicas: pods.filter((pod) => carries(pod.metadata.labels, owner.spec.template.metadata?.labels))
      .length,
    readyReplicas: counts.ready || undefined,
    availableReplicas: counts.available || undefined,
    observedGeneration: owner.metadata.generation,
    conditions: conditions.length > 0 ? conditions : undefined,
  })
  if (failure) return 1_000
  if (pods.length !== wanted && !owner.metadata.deletionTimestamp) return 1
  return counts.nextAvailableIn
}

/** The first words about a failure stay: each refusal names another pod, and every new word would bring another try. */
function withFailure({ status }: ReplicaOwner, failure: Failure | undefined, now: number) {
  if (!failure) return withoutCondition(status?.conditions, 'ReplicaFailure')
  if (conditionOf(status?.conditions, 'ReplicaFailure')?.reason === failure.reason) return status?.conditions ?? []
  return withCondition(status?.conditions, { type: 'ReplicaFailure', status: 'True', ...failure }, timestamp(now))
}

function activePods(engine: Engine, owner: KubeObject): Pod[] {
  return engine.store.owned(owner.metadata.uid, '/pods').filter(isActive)
}

function adjust(
  engine: Engine,
  owner: ReplicaOwner,
  pods: Pod[],
  wanted: number,
  component: string,
): Failure | undefined {
  const surplus = pods.length - wanted
  if (surplus > 0) {
    for (const pod of [...pods].sort(byExpendability).slice(0, Math.min(surplus, BURST))) {
      engine.store.delete('/pods', pod)
      engine.events.emit(owner, { component }, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`)
    }
    return undefined
  }
  for (let missing = Math.min(-surplus, BURST); missing > 0; missing--) {
    const failure = createPod(engine, owner, owner.spec.template, component)
    if (failure) return failure
  }
  return undefined
}

/** Creates one pod with a generated name; a refusal (a quota, say) is said on the owner and handed back. */
export function createPod(
  engine: Engine,
  owner: KubeObject,
  template: PodTemplate,
  component: string,
  changes: Omit<Parameters<typeof podFromTemplate>[2], 'name'> & { name?: string } = {},
): Failure | undefined {
  const generateName = `${owner.metadata.name}-`
  const naming = changes.name ? { name: changes.name } : { name: generatedName(generateName), generateName }
  try {
    engine.store.create('/pods', podFromTemplate(owner, template, { ...changes, ...naming }))
  } catch (error) {
    if (statusCode(error) === undefined || statusCode(error) === 409) throw error
    const message = error instanceof Error ? error.message : String(error)
    engine.events.emit(owner, { component }, 'Warning', 'FailedCreate', `Error creating: ${message}`)
    return { reason: 'FailedCreate', message }
  }
  engine.events.emit(owner, { component }, 'Normal', 'SuccessfulCreate', `Created pod: ${naming.name}`)
  return undefined
}
