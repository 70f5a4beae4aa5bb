import type { Clock } from '../clock.ts'
import type { KubeObject, ObjectStore } from '../object-store.ts'

const LIFETIME = 3600_000
const SWEEP_EVERY = 60_000

/** When an event was last heard of. */
function lastSeen(event: KubeObject): number {
  const times = [event.lastTimestamp, event.eventTime, event.metadata.creationTimestamp]
  const known = times.find((time) => typeof time === 'string')
  return typeof known === 'string' ? Date.parse(known) : 0
}

/** Forgets events an hour after they were last heard of, as every cluster does. Returns the function that stops it. */
export function forgetOldEvents(store: ObjectStore, clock: Clock): () => void {
  let cancel = () => {}
  const sweep = () => {
    const oldest = clock.now() - LIFETIME
    for (const event of store.list('/events')) {
      const { namespace, name } = event.metadata
      if (lastSeen(event) < oldest) store.delete('/events', namespace, name)
    }
    cancel = clock.after(SWEEP_EVERY, sweep)
  }
  sweep()
  return () => cancel()
}
