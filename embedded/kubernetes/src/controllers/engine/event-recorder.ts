import type { Clock } from '../../clock.ts'
import type { KubeObject } from '../../object-store.ts'
import { timestamp } from './engine.ts'
import { pruned, statusCode, type TypedStore } from './typed-store.ts'

/** Source of an event: a controller, or the kubelet of a node. */
export interface EventSource {
  component: string
  host?: string
}

export interface EventRecorder {
  /** Writes an Event about an object; the same words again raise the count of the one that exists. */
  emit(
    about: KubeObject,
    source: EventSource,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    fieldPath?: string,
  ): void
  close(): void
}

/** An hour, as the API server keeps them; and a ceiling for clusters with very many pods. */
const TTL_MS = 3_600_000
const SWEEP_MS = 300_000
const MAX_EVENTS = 20_000

interface Known {
  namespace: string
  name: string
  lastMs: number
}

export function createEventRecorder(store: TypedStore, clock: Clock): EventRecorder {
  // Insertion order is age: the first entries are the ones to drop.
  const known = new Map<string, Known>()
  for (const event of store.list('/events')) {
    const { involvedObject, source, reason, message } = event as KubeObject & {
      involvedObject?: { uid?: string; fieldPath?: string }
      source?: EventSource
    }
    const id = identity(involvedObject?.uid, source?.component, reason, message, involvedObject?.fieldPath)
    known.set(id, {
      namespace: event.metadata.namespace ?? 'default',
      name: event.metadata.name,
      lastMs: lastSeen(event),
    })
  }

  let sequence = 0
  let cancelSweep = () => {}
  function sweep() {
    const oldest = clock.now() - TTL_MS
    for (const [id, entry] of known) if (entry.lastMs < oldest) forget(id, entry)
    cancelSweep = clock.after(SWEEP_MS, sweep)
  }
  cancelSweep = clock.after(SWEEP_MS, sweep)

  function forget(id: string, { namespace, name }: Known) {
    known.delete(id)
    const event = store.get('/events', namespace, name)
    if (event) store.delete('/events', event)
  }

  function raise({ namespace, name }: Known, now: string): boolean {
    const event = store.get('/events', namespace, name)
    if (!event) return false
    store.update('/events', event, (current) => ({
      ...current,
      count: (typeof current.count === 'number' ? current.count : 1) + 1,
      lastTimestamp: now,
    }))
    return true
  }

  return {
    emit(about, source, type, reason, message, fieldPath) {
      const nowMs = clock.now()
      const now = timestamp(nowMs)
      const id = identity(about.metadata.uid, source.component, reason, message, fieldPath)
      const before = known.get(id)
      if (before && raise(before, now)) {
        before.lastMs = nowMs
        known.delete(id)
        known.set(id, before)
        return
      }
      const namespace = about.metadata.namespace ?? 'default'
      // In names as in time: lists of one object's events come in the order in which things happened.
      const moment = BigInt(Math.floor(nowMs)) * 1_000_000n + BigInt(sequence++ % 1_000_000)
      const name = `${about.metadata.name}.${moment.toString(16)}`
      try {
        store.create('/events', eventObject(about, source, { namespace, name, type, reason, message, fieldPath, now }))
      } catch (error) {
        // A namespace on its way out takes no new objects; what would be said there has no reader.
        if (statusCode(error) === undefined) throw error
        return
      }
      known.set(id, { namespace, name, lastMs: nowMs })
      if (known.size > MAX_EVENTS) for (const [oldId, entry] of known) return forget(oldId, entry)
    },
    close: () => cancelSweep(),
  }
}

function identity(uid: unknown, component: unknown, reason: unknown, message: unknown, fieldPath: unknown): string {
  return [uid, component, reason, message, fieldPath].join('\u0000')
}

function lastSeen(event: KubeObject): number {
  return Date.parse(typeof event.lastTimestamp === 'string' ? event.lastTimestamp : event.metadata.creationTimestamp)
}

interface Words {
  namespace: string
  name: string
  type: string
  reason: string
  message: string
  fieldPath: string | undefined
  now: string
}

function eventObject(about: KubeObject, source: EventSource, words: Words) {
  const { namespace, name, type, reason, message, fieldPath, now } = words
  return pruned({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace, name },
    involvedObject: {
      apiVersion: about.apiVersion,
      kind: about.kind,
      namespace: about.metadata.namespace,
      name: about.metadata.name,
      uid: about.metadata.uid,
      resourceVersion: about.metadata.resourceVersion,
      fieldPath,
    },
    type,
    reason,
    message,
    source,
    count: 1,
    firstTimestamp: now,
    lastTimestamp: now,
    eventTime: null,
    reportingComponent: source.component,
    reportingInstance: source.host ?? '',
  })
}
