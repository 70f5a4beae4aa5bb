import type { StatefulSet } from '../engine/kinds.ts'
import type { Pod } from '../engine/pod-kinds.ts'
import { isFinished, isReady } from './pod-facts.ts'

interface StatefulSteps {
  create: number[]
  remove: Pod[]
}

interface StatefulView {
  /** The pod of each ordinal that has one. */
  pods: Map<number, Pod>
  isCurrent(pod: Pod): boolean
  isHealthy(pod: Pod): boolean
}

/** The ordinal in a pod's name, when it is one of this set's names. */
export function ordinalOf({ metadata }: Pod, setName: string): number | undefined {
  const rest = metadata.name.startsWith(`${setName}-`) ? metadata.name.slice(setName.length + 1) : ''
  return /^\d+$/.test(rest) ? Number(rest) : undefined
}

export function wantedOrdinals({ spec }: StatefulSet): number[] {
  const start = spec.ordinals?.start ?? 0
  return Array.from({ length: spec.replicas ?? 1 }, (_, index) => start + index)
}

/** Next steps for a stateful set: in order one pod at a time, each after the one before it is healthy. */
export function statefulSteps(set: StatefulSet, view: StatefulView): StatefulSteps {
  const parallel = set.spec.podManagementPolicy === 'Parallel'
  const ordinals = wantedOrdinals(set)
  const create: number[] = []
  const remove: Pod[] = []
  for (const ordinal of ordinals) {
    const pod = view.pods.get(ordinal)
    if (pod && isFinished(pod) && !pod.metadata.deletionTimestamp) remove.push(pod)
    else if (!pod) create.push(ordinal)
    if (!parallel && (!pod || !view.isHealthy(pod) || remove.length > 0)) return { create, remove }
  }
  if (create.length > 0 || remove.length > 0) return { create, remove }
  const wanted = new Set(ordinals)
  const condemned = [...view.pods].filter(([ordinal]) => !wanted.has(ordinal)).sort(([a], [b]) => b - a)
  if (condemned.length > 0) return { create, remove: scaleDown(condemned, parallel) }
  return { create, remove: update(set, view) }
}

function scaleDown(condemned: [number, Pod][], parallel: boolean): Pod[] {
  const pods = condemned.map(([, pod]) => pod)
  if (parallel) return pods.filter(({ metadata }) => !metadata.deletionTimestamp)
  const [last] = pods
  return last && !last.metadata.deletionTimestamp ? [last] : []
}

/** The highest ordinal of the old template goes, once all above it are healthy. */
function update({ spec }: StatefulSet, view: StatefulView): Pod[] {
  if (spec.updateStrategy?.type === 'OnDelete') return []
  const partition = spec.updateStrategy?.rollingUpdate?.partition ?? 0
  for (const [ordinal, pod] of [...view.pods].sort(([a], [b]) => b - a)) {
    if (ordinal < partition) return []
    if (!view.isCurrent(pod)) return pod.metadata.deletionTimestamp ? [] : [pod]
    if (!view.isHealthy(pod)) return []
  }
  return []
}

export function isHealthyPod(pod: Pod): boolean {
  return !pod.metadata.deletionTimestamp && isReady(pod)
}
