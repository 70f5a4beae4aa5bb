import type { Clock } from '../../clock.ts'
import type { GroupResource, KubeObject, StoreEvent } from '../../object-store.ts'
import { statusCode, type TypedStore } from './typed-store.ts'

/** Keys of the objects to reconcile after a change of a watched resource. */
export type KeysFor = (event: StoreEvent, resource: GroupResource) => Iterable<string> | undefined

/**
 * One control loop. `reconcile` looks at the present state of what `key` names and moves it one step nearer to
 * what is wanted; it may return in how many simulated milliseconds it wants to look again.
 */
export interface Controller {
  name: string
  watches: Record<GroupResource, KeysFor> | { '*': KeysFor }
  /** With `*`, the resources read once at start. */
  startWith?: GroupResource[]
  reconcile(key: string): number | undefined
}

interface ReconcileLoop {
  enqueue(controller: Controller, key: string): void
  close(): void
}

/** Longest stretch of reconciling before other work of the process gets its turn. */
const SLICE_MS = 8
const RETRY_MS = { first: 50, last: 30_000 }

/** The key of an object: `namespace/name`, with nothing before the slash when it has no namespace. */
export function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`
}

/** The inverse of `keyOf`. */
export function parseKey(key: string): { namespace: string | undefined; name: string } {
  const slash = key.indexOf('/')
  return { namespace: key.slice(0, slash) || undefined, name: key.slice(slash + 1) }
}

/** Watches for "the object itself changed". */
export const itself: KeysFor = (event) => [keyOf(event.object)]

interface Task {
  controller: Controller
  key: string
}

/** Runs controllers over one store: changes coalesce per key, failures are retried with growing pauses. */
export function startReconcileLoop(
  store: TypedStore,
  clock: Clock,
  controllers: Controller[],
  onError: (error: unknown, controller: string, key: string) => void,
): ReconcileLoop {
  const due = new Map<string, Task>()
  const alarms = new Map<string, () => void>()
  const failures = new Map<string, number>()
  let drain: NodeJS.Immediate | undefined
  let closed = false

  function enqueue(controller: Controller, key: string) {
    if (closed) return
    due.set(`${controller.name}|${key}`, { controller, key })
    drain ??= setImmediate(work)
  }

  function work() {
    drain = undefined
    const until = performance.now() + SLICE_MS
    for (const [id, task] of due) {
      due.delete(id)
      run(id, task)
      if (closed) return
      if (performance.now() > until) break
    }
    if (due.size > 0) drain ??= setImmediate(work)
  }

  function run(id: string, { controller, key }: Task) {
    alarms.get(id)?.()
    alarms.delete(id)
    let revisit: number | undefined
    try {
      revisit = controller.reconcile(key)
      failures.delete(id)
    } catch (error) {
      const count = (failures.get(id) ?? 0) + 1
      failures.set(id, count)
      revisit = Math.min(RETRY_MS.first * 2 ** (count - 1), RETRY_MS.last)
      const expected = statusCode(error) === 404 || statusCode(error) === 409
      if (!expected || count > 5) onError(error, controller.name, key)
    }
    if (revisit !== undefined && !closed) alarm(id, { controller, key }, revisit)
  }

  function alarm(id: string, task: Task, ms: number) {
    const cancel = clock.after(Math.min(Math.max(ms, 1), 86_400_000), () => {
      alarms.delete(id)
      enqueue(task.controller, task.key)
    })
    alarms.set(id, cancel)
  }

  const unsubscribe = watchFor(store, controllers, enqueue)
  return {
    enqueue,
    close() {
      closed = true
      unsubscribe()
      if (drain) clearImmediate(drain)
      for (const cancel of alarms.values()) cancel()
      alarms.clear()
      due.clear()
    },
  }
}

/** Hands each controller the keys that a change concerns, and at first those of all that is there. */
function watchFor(store: TypedStore, controllers: Controller[], enqueue: ReconcileLoop['enqueue']): () => void {
  const watchers = new Map<string, { controller: Controller; keysFor: KeysFor }[]>()

  function dispatch(resource: GroupResource, event: StoreEvent) {
    for (const id of [resource, '*']) {
      for (const { controller, keysFor } of watchers.get(id) ?? []) {
        for (const key of keysFor(event, resource) ?? []) enqueue(controller, key)
      }
    }
  }

  for (const controller of controllers) {
    for (const [resource, keysFor] of Object.entries(controller.watches)) {
      const list = watchers.get(resource) ?? []
      list.push({ controller, keysFor })
      watchers.set(resource, list)
    }
  }
  const unsubscribe = store.subscribe(dispatch)
  const known = new Set([...watchers.keys(), ...controllers.flatMap((controller) => controller.startWith ?? [])])
  known.delete('*')
  for (const resource of known as Set<GroupResource>) {
    for (const object of store.list(resource)) dispatch(resource, { type: 'ADDED', object })
  }
  return unsubscribe
}
