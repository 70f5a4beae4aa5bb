import { conditionOf, isTrue } from '../engine/conditions.ts'
import { millis } from '../engine/engine.ts'
import type { Pod } from '../engine/pod-kinds.ts'

export function isFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed'
}

/** Neither finished nor on its way out: what replica counts count. */
export function isActive(pod: Pod): boolean {
  return !pod.metadata.deletionTimestamp && !isFinished(pod)
}

export function isReady(pod: Pod): boolean {
  return isTrue(pod.status?.conditions, 'Ready')
}

/** When a ready pod will have been ready for `minReadySeconds`; undefined while it is not ready. */
function availableAt(pod: Pod, minReadySeconds = 0): number | undefined {
  const ready = conditionOf(pod.status?.conditions, 'Ready')
  if (ready?.status !== 'True') return undefined
  return minReadySeconds === 0 ? 0 : millis(ready.lastTransitionTime) + minReadySeconds * 1000
}

interface PodCounts {
  ready: number
  available: number
  /** When the next ready pod becomes available, in milliseconds from now. */
  nextAvailableIn: number | undefined
}

/** Ready and available pods, and when to count again. */
export function countPods(pods: Pod[], minReadySeconds: number | undefined, now: number): PodCounts {
  const counts: PodCounts = { ready: 0, available: 0, nextAvailableIn: undefined }
  for (const pod of pods) {
    const at = availableAt(pod, minReadySeconds)
    if (at === undefined) continue
    counts.ready++
    if (at <= now) counts.available++
    else counts.nextAvailableIn = Math.min(counts.nextAvailableIn ?? Infinity, at - now)
  }
  return counts
}

function standing(pod: Pod): number {
  const phases = ['Pending', 'Unknown', 'Running']
  return (pod.spec.nodeName ? 8 : 0) + phases.indexOf(pod.status?.phase ?? 'Pending') * 2 + (isReady(pod) ? 1 : 0)
}

/** Order in which surplus pods are deleted: unassigned, pending, unready, then the youngest. */
export function byExpendability(a: Pod, b: Pod): number {
  return standing(a) - standing(b) || b.metadata.creationTimestamp.localeCompare(a.metadata.creationTimestamp)
}
