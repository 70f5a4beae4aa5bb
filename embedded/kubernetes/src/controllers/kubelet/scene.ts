import type { Engine } from '../engine/engine.ts'
import type { EventSource } from '../engine/event-recorder.ts'
import type { Node } from '../engine/kinds.ts'
import type { Pod } from '../engine/pod-kinds.ts'
import type { Fault } from './faults.ts'

/** Moments at which things under way in one pod are due. Kept while the pod is in motion only. */
export type Timetable = Map<string, number>

/** One look at a pod on its node: what is known, and what comes out. */
export interface Scene {
  engine: Engine
  pod: Pod
  node: Node
  source: EventSource
  fault: Fault | undefined
  /** Images that the node has. */
  images: Set<string>
  timetable: Timetable
  now: number
  stamp: string
  /** When to look again, in milliseconds from now. */
  wake: number | undefined
  /** Waits for a ConfigMap, Secret or claim to appear. */
  blocked: boolean
  exited: (container: string, exitCode: number) => void
  allocateIp: () => string
}

/** Tells whether `ms` have passed since this was first asked; notes when to look again while they have not. */
export function isDue(scene: Scene, what: string, ms: number): boolean {
  let at = scene.timetable.get(what)
  if (at === undefined) {
    at = scene.now + ms
    scene.timetable.set(what, at)
  }
  if (at <= scene.now) return true
  wakeIn(scene, at - scene.now)
  return false
}

export function wakeIn(scene: Scene, ms: number): void {
  scene.wake = Math.min(scene.wake ?? Infinity, ms)
}

/** Forgets what was under way for a container, so that it can begin anew. */
export function forget(scene: Scene, prefix: string): void {
  for (const what of scene.timetable.keys()) if (what.startsWith(prefix)) scene.timetable.delete(what)
}

export function say(
  scene: Scene,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
  fieldPath?: string,
): void {
  scene.engine.events.emit(scene.pod, scene.source, type, reason, message, fieldPath)
}
