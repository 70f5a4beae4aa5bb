import type { Clock } from '../../clock.ts'
import type { EventRecorder } from './event-recorder.ts'
import type { TypedStore } from './typed-store.ts'

/** Store, clock and event recorder, which every controller works with. */
export interface Engine {
  store: TypedStore
  clock: Clock
  events: EventRecorder
}

/** A time as Kubernetes writes it: RFC 3339, whole seconds. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}

/** Milliseconds of a Kubernetes timestamp; `fallback` when there is none. */
export function millis(time: string | null | undefined, fallback = 0): number {
  return time ? Date.parse(time) : fallback
}
