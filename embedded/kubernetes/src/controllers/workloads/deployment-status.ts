import { conditionOf, withCondition, withoutCondition } from '../engine/conditions.ts'
import { millis, timestamp } from '../engine/engine.ts'
import type { Deployment, ReplicaSet } from '../engine/kinds.ts'
import type { Condition } from '../engine/pod-kinds.ts'
import { rolloutLimits } from './deployment-plan.ts'

type Status = NonNullable<Deployment['status']>

const total = (sets: ReplicaSet[], of: (status: NonNullable<ReplicaSet['status']>) => number | undefined) =>
  sets.reduce((count, { status }) => count + ((status && of(status)) ?? 0), 0)

/** A rollout is over when every pod is of the new template and available, and no old one is left. */
export function isComplete({ spec }: Deployment, status: Status): boolean {
  const wanted = spec.replicas ?? 1
  return status.updatedReplicas === wanted && status.replicas === wanted && status.availableReplicas === wanted
}

/** Counts over the deployment's sets, and the three conditions clients wait for. */
export function deploymentStatus(
  deployment: Deployment,
  current: ReplicaSet | undefined,
  sets: ReplicaSet[],
  nowMs: number,
): Status {
  const wanted = deployment.spec.replicas ?? 1
  const available = total(sets, (status) => status.availableReplicas)
  const counted: Status = {
    observedGeneration: deployment.metadata.generation,
    replicas: total(sets, (status) => status.replicas),
    updatedReplicas: current?.status?.replicas ?? 0,
    readyReplicas: total(sets, (status) => status.readyReplicas),
    availableReplicas: available,
    unavailableReplicas:
      Math.max(
        total(sets, (status) => status.replicas),
        wanted,
      ) - available,
    collisionCount: deployment.status?.collisionCount,
  }
  const before = deployment.status
  let conditions = withCondition(before?.conditions, availability(deployment, available), timestamp(nowMs))
  conditions = progress(deployment, counted, current, conditions, nowMs)
  const failure = sets.map(({ status }) => conditionOf(status?.conditions, 'ReplicaFailure')).find(Boolean)
  conditions = failure
    ? withCondition(conditions, failure, timestamp(nowMs))
    : withoutCondition(conditions, 'ReplicaFailure')
  // Times of update move with what they tell about only.
  counted.conditions = conditions.map((condition) => stamped(condition, before?.conditions, nowMs))
  for (const key of [
    'replicas',
    'updatedReplicas',
    'readyReplicas',
    'availableReplicas',
    'unavailableReplicas',
  ] as const) {
    if (counted[key] === 0) counted[key] = undefined
  }
  return counted
}

function stamped(condition: Condition, before: Condition[] | undefined, nowMs: number): Condition {
  const old = conditionOf(before, condition.type)
  const same = old && old.status === condition.status && old.reason === condition.reason
  return { ...condition, lastUpdateTime: condition.lastUpdateTime ?? (same ? old.lastUpdateTime : timestamp(nowMs)) }
}

function availability(deployment: Deployment, available: number): Condition {
  const enough = available >= (deployment.spec.replicas ?? 1) - rolloutLimits(deployment).maxUnavailable
  return enough
    ? {
        type: 'Available',
        status: 'True',
        reason: 'MinimumReplicasAvailable',
        message: 'Deployment has minimum availability.',
      }
    : {
        type: 'Available',
        status: 'False',
        reason: 'MinimumReplicasUnavailable',
        message: 'Deployment does not have minimum availability.',
      }
}

function progress(
  deployment: Deployment,
  next: Status,
  current: ReplicaSet | undefined,
  conditions: Condition[],
  nowMs: number,
): Condition[] {
  const { status: before, metadata, spec } = deployment
  const known = conditionOf(conditions, 'Progressing')
  const what = current ? `ReplicaSet "${current.metadata.name}"` : `Deployment "${metadata.name}"`
  const place = (status: string, reason: string, message: string, lastUpdateTime?: string) =>
    withCondition(conditions, { type: 'Progressing', status, reason, message, lastUpdateTime }, timestamp(nowMs))
  if (spec.paused) return place('Unknown', 'DeploymentPaused', 'Deployment is paused')
  if (isComplete(deployment, next)) {
    if (known?.reason === 'NewReplicaSetAvailable') return conditions
    return place('True', 'NewReplicaSetAvailable', `${what} has successfully progressed.`)
  }
  if (!known || known.reason === 'DeploymentPaused') {
    return place(
      'True',
      current ? 'NewReplicaSetCreated' : 'ReplicaSetUpdated',
      `${current ? `Created new replica set "${current.metadata.name}"` : `${what} is progressing.`}`,
    )
  }
  const grew = (key: 'updatedReplicas' | 'readyReplicas' | 'availableReplicas') =>
    (next[key] ?? 0) > (before?.[key] ?? 0)
  const oldOnes = (status: Status | undefined) => (status?.replicas ?? 0) - (status?.updatedReplicas ?? 0)
  const moved =
    grew('updatedReplicas') || grew('readyReplicas') || grew('availableReplicas') || oldOnes(next) < oldOnes(before)
  const restarted = known.reason === 'NewReplicaSetAvailable' && before?.observedGeneration !== metadata.generation
  if (moved || restarted) return place('True', 'ReplicaSetUpdated', `${what} is progressing.`, timestamp(nowMs))
  const deadline = spec.progressDeadlineSeconds ?? 600
  const overdue = millis(known.lastUpdateTime, nowMs) + deadline * 1000 <= nowMs
  if (known.status === 'True' && known.reason !== 'NewReplicaSetAvailable' && overdue) {
    return place('False', 'ProgressDeadlineExceeded', `${what} has timed out progressing.`)
  }
  return conditions
}

/** In how many milliseconds the progress deadline passes, when one is running. */
export function untilDeadline({ spec }: Deployment, { conditions }: Status, nowMs: number): number | undefined {
  const known = conditionOf(conditions, 'Progressing')
  if (known?.status !== 'True' || known.reason === 'NewReplicaSetAvailable') return undefined
  return Math.max(millis(known.lastUpdateTime, nowMs) + (spec.progressDeadlineSeconds ?? 600) * 1000 - nowMs, 0) + 1
}
