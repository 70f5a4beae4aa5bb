import type { WorkloadState as WorkloadStates } from '@quayside/contract/clusters/endpoints'
import type { z } from 'zod'
import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { conditionsOf, countOf, type Fields, fieldsOf, textOf } from '../workloads/fields.ts'
import { stateOfPod } from '../workloads/pod-state.ts'

export type WorkloadState = z.infer<typeof WorkloadStates>

/** How an object is, in one word, and why in the cluster's words. */
export interface ObjectState {
  state: WorkloadState
  /** Short, such as `2 of 3 ready`. */
  detail: string
  /** Why it is not healthy. */
  message: string | null
}

const order: readonly WorkloadState[] = ['failed', 'degraded', 'progressing', 'unknown', 'healthy']

export function worstOf(states: readonly WorkloadState[]): WorkloadState {
  return order.find((state) => states.includes(state)) ?? 'healthy'
}

const healthy = (detail: string): ObjectState => ({ state: 'healthy', detail, message: null })

/** The state of any object: by its kind where we know it, else by the conditions that it reports. */
export function stateOf(object: KubeObject, now: number = Date.now()): ObjectState {
  if (textOf(fieldsOf(object.metadata).deletionTimestamp))
    return { state: 'progressing', detail: 'Terminating', message: 'It is being deleted' }
  const spec = fieldsOf(object.spec)
  const status = fieldsOf(object.status)
  if (object.kind === 'Pod') return stateOfPod(object, now)
  const rule = byKind[object.kind]
  if (!rule) return stateByConditions(status)
  if (countOf(status.observedGeneration, Number.MAX_SAFE_INTEGER) < countOf(fieldsOf(object.metadata).generation))
    return { state: 'progressing', detail: 'Waiting for the controller', message: null }
  return rule(spec, status)
}

const byKind: Readonly<Record<string, (spec: Fields, status: Fields) => ObjectState>> = {
  Deployment: stateOfDeployment,
  StatefulSet: stateOfStatefulSet,
  DaemonSet: stateOfDaemonSet,
  ReplicaSet: (spec, status) => byCount(countOf(status.readyReplicas), countOf(spec.replicas, 1)),
  Job: stateOfJob,
  CronJob: (spec) => healthy(spec.suspend === true ? 'Suspended' : textOf(spec.schedule)),
  PersistentVolumeClaim: stateOfClaim,
  Service: stateOfService,
}

function byCount(ready: number, desired: number): ObjectState {
  if (desired === 0) return healthy('Scaled to zero')
  const detail = `${ready} of ${desired} ready`
  return ready >= desired ? healthy(detail) : { state: 'progressing', detail, message: detail }
}

function stateOfDeployment(spec: Fields, status: Fields): ObjectState {
  const desired = countOf(spec.replicas, 1)
  const ready = countOf(status.readyReplicas)
  const counted = byCount(ready, desired)
  const conditions = conditionsOf(status)
  const progress = conditions.find(({ type }) => type === 'Progressing')
  const failure = conditions.find(({ type, status: said }) => type === 'ReplicaFailure' && said === 'True')
  if (failure) return { state: 'degraded', detail: counted.detail, message: failure.message || failure.reason }
  if (progress?.reason === 'ProgressDeadlineExceeded')
    return { state: 'failed', detail: counted.detail, message: progress.message || progress.reason }
  if (spec.paused === true && ready < desired)
    return { state: 'degraded', detail: counted.detail, message: 'The rollout is paused' }
  const updated = countOf(status.updatedReplicas)
  if (desired > 0 && updated < desired)
    return { state: 'progressing', detail: counted.detail, message: `${updated} of ${desired} updated` }
  if (countOf(status.replicas) > updated && desired > 0)
    return { state: 'progressing', detail: counted.detail, message: 'Old pods are being replaced' }
  // A rollout that was through once and lost pods since is not on its way, it is broken.
  const wasThrough = progress?.reason === 'NewReplicaSetAvailable'
  return ready < desired && wasThrough ? { ...counted, state: 'degraded' } : counted
}

function stateOfStatefulSet(spec: Fields, status: Fields): ObjectState {
  const desired = countOf(spec.replicas, 1)
  const counted = byCount(countOf(status.readyReplicas), desired)
  const isRolling =
    fieldsOf(spec.updateStrategy).type !== 'OnDelete' &&
    textOf(status.updateRevision) !== textOf(status.currentRevision) &&
    countOf(status.updatedReplicas) < desired
  return isRolling ? { state: 'progressing', detail: counted.detail, message: 'Old pods are being replaced' } : counted
}

function stateOfDaemonSet(_spec: Fields, status: Fields): ObjectState {
  const desired = countOf(status.desiredNumberScheduled)
  const counted = desired === 0 ? healthy('No node to run on') : byCount(countOf(status.numberReady), desired)
  const updated = countOf(status.updatedNumberScheduled)
  if (counted.state === 'healthy' && updated < desired)
    return { state: 'progressing', detail: counted.detail, message: `${updated} of ${desired} updated` }
  return counted
}

function stateOfJob(spec: Fields, status: Fields): ObjectState {
  const conditions = conditionsOf(status).filter((condition) => condition.status === 'True')
  const failed = conditions.find(({ type }) => type === 'Failed')
  if (failed) return { state: 'failed', detail: 'Failed', message: failed.message || failed.reason || 'The job failed' }
  if (conditions.some(({ type }) => type === 'Complete')) return healthy('Completed')
  if (spec.suspend === true) return healthy('Suspended')
  const failures = countOf(status.failed)
  const detail = `${countOf(status.succeeded)} of ${countOf(spec.completions, 1)} completed`
  return { state: 'progressing', detail, message: failures > 0 ? `${failures} tries failed` : detail }
}

function stateOfClaim(spec: Fields, status: Fields): ObjectState {
  const phase = textOf(status.phase)
  const size = textOf(fieldsOf(status.capacity).storage) || textOf(fieldsOf(fieldsOf(spec.resources).requests).storage)
  if (phase === 'Bound') return healthy(`Bound, ${size}`)
  if (phase === 'Lost') return { state: 'failed', detail: 'Lost', message: 'Its volume is gone' }
  return { state: 'progressing', detail: phase || 'Pending', message: 'No volume is bound yet' }
}

function stateOfService(spec: Fields, status: Fields): ObjectState {
  const type = textOf(spec.type) || 'ClusterIP'
  const ingress = fieldsOf(status.loadBalancer).ingress
  if (type === 'LoadBalancer' && !(Array.isArray(ingress) && ingress.length > 0))
    return { state: 'progressing', detail: type, message: 'No external address yet' }
  return healthy(type)
}

function stateByConditions(status: Fields): ObjectState {
  const conditions = conditionsOf(status)
  const ready = conditions.find(({ type }) => type === 'Ready' || type === 'Available' || type === 'Established')
  if (!ready || ready.status === 'True') return healthy(ready ? ready.type : 'Present')
  const why = ready.message || ready.reason || `${ready.type} is ${ready.status}`
  return {
    state: ready.status === 'False' ? 'degraded' : 'progressing',
    detail: ready.reason || ready.type,
    message: why,
  }
}
