import type { Deployment, ReplicaSet } from '../engine/kinds.ts'
import { portion } from '../engine/portion.ts'

interface Limits {
  maxSurge: number
  maxUnavailable: number
}

/** How far a rolling update may stray from the wanted count; never both zero. */
export function rolloutLimits({ spec }: Deployment): Limits {
  const replicas = spec.replicas ?? 1
  const rolling = spec.strategy?.rollingUpdate
  if (spec.strategy?.type === 'Recreate') return { maxSurge: 0, maxUnavailable: replicas }
  const maxSurge = portion(rolling?.maxSurge, replicas, '25%', true)
  const maxUnavailable = Math.min(portion(rolling?.maxUnavailable, replicas, '25%', false), replicas)
  return maxSurge === 0 && maxUnavailable === 0 ? { maxSurge, maxUnavailable: 1 } : { maxSurge, maxUnavailable }
}

export interface Scaling {
  set: ReplicaSet
  to: number
}

const wantedBy = (set: ReplicaSet) => set.spec.replicas ?? 0
const availableIn = (set: ReplicaSet) => set.status?.availableReplicas ?? 0
const sum = (sets: ReplicaSet[], of: (set: ReplicaSet) => number) => sets.reduce((total, set) => total + of(set), 0)

/** The scalings that one look at a rolling update asks for: the new set up first, else the old ones down. */
export function rollingSteps(deployment: Deployment, current: ReplicaSet, old: ReplicaSet[]): Scaling[] {
  const replicas = deployment.spec.replicas ?? 1
  const up = scaleUp(deployment, current, old, replicas)
  return up === undefined ? scaleDown(deployment, current, old, replicas) : [{ set: current, to: up }]
}

function scaleUp(deployment: Deployment, current: ReplicaSet, old: ReplicaSet[], replicas: number): number | undefined {
  if (wantedBy(current) === replicas) return undefined
  if (wantedBy(current) > replicas) return replicas
  const room = replicas + rolloutLimits(deployment).maxSurge - wantedBy(current) - sum(old, wantedBy)
  return room > 0 ? wantedBy(current) + Math.min(room, replicas - wantedBy(current)) : undefined
}

function scaleDown(deployment: Deployment, current: ReplicaSet, old: ReplicaSet[], replicas: number): Scaling[] {
  const minAvailable = replicas - rolloutLimits(deployment).maxUnavailable
  const unavailableNew = Math.max(wantedBy(current) - availableIn(current), 0)
  let expendable = sum([current, ...old], wantedBy) - minAvailable - unavailableNew
  const targets = new Map(old.map((set) => [set, wantedBy(set)]))
  const oldestFirst = [...old].sort((a, b) => a.metadata.creationTimestamp.localeCompare(b.metadata.creationTimestamp))
  // Old pods that do not serve anyway cost nothing: they go first.
  for (const set of oldestFirst) {
    const broken = Math.min(Math.max(wantedBy(set) - availableIn(set), 0), Math.max(expendable, 0))
    targets.set(set, wantedBy(set) - broken)
    expendable -= broken
  }
  let spare = sum([current, ...old], availableIn) - minAvailable
  for (const set of oldestFirst) {
    const target = targets.get(set) ?? 0
    const removable = Math.min(target, Math.max(spare, 0))
    targets.set(set, target - removable)
    spare -= removable
  }
  return [...targets].filter(([set, to]) => to !== wantedBy(set)).map(([set, to]) => ({ set, to }))
}

/** Paused or scaled in mid-rollout: every live set keeps its share of the new count. */
export function proportionalSteps(deployment: Deployment, sets: ReplicaSet[]): Scaling[] {
  const replicas = deployment.spec.replicas ?? 1
  const live = sets.filter((set) => wantedBy(set) > 0)
  const only = live[0] ?? sets[0]
  if (!only) return []
  if (live.length <= 1) return wantedBy(only) === replicas ? [] : [{ set: only, to: replicas }]
  const total = sum(live, wantedBy)
  const allowed = replicas === 0 ? 0 : replicas + rolloutLimits(deployment).maxSurge
  const grown = live.some((set) => {
    const desired = set.metadata.annotations?.['deployment.kubernetes.io/desired-replicas']
    return desired !== undefined && Number(desired) !== replicas
  })
  if (!grown) return []
  let left = allowed - total
  return live
    .sort((a, b) => wantedBy(b) - wantedBy(a))
    .map((set, index) => {
      const share = index === live.length - 1 ? left : Math.trunc((wantedBy(set) * (allowed - total)) / total)
      left -= share
      return { set, to: Math.max(wantedBy(set) + share, 0) }
    })
}
