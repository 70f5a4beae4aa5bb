import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { allKinds, type NamespaceView, type WatchedKind, watchedResources } from './namespace-view.ts'

/** A view that follows its namespace until it is left. */
export interface WatchCache extends NamespaceView {
  /** Tells whether all that it follows was read at least once. */
  isComplete(): boolean
  leave(): void
}

interface Followed {
  objects(): KubeObject[]
  isComplete(): boolean
  readonly listeners: Set<() => void>
  stop(): void
}

/** Follows each kind of a namespace once, for however many look at it. */
export function createWatchCaches() {
  const followed = new Map<string, Followed>()
  const keyOf = (clusterId: string, namespace: string, kind: WatchedKind) => `${clusterId}|${namespace}|${kind}`

  function viewOf(clusterId: string, namespace: string, kinds: readonly WatchedKind[]) {
    const find = (kind: WatchedKind) => followed.get(keyOf(clusterId, namespace, kind))
    return {
      of: (kind: WatchedKind) => (kinds.includes(kind) ? (find(kind)?.objects() ?? []) : []),
      isComplete: () => kinds.every((kind) => find(kind)?.isComplete() ?? false),
    }
  }

  return {
    enter(
      clusterId: string,
      connection: ClusterConnection,
      namespace: string,
      onChange: () => void,
      kinds: readonly WatchedKind[] = allKinds,
    ): WatchCache {
      // Its own function, so that one who enters twice is counted twice.
      const listener = () => onChange()
      for (const kind of kinds) {
        const key = keyOf(clusterId, namespace, kind)
        const one = followed.get(key) ?? follow(connection, namespace, kind)
        one.listeners.add(listener)
        followed.set(key, one)
      }
      return {
        ...viewOf(clusterId, namespace, kinds),
        leave() {
          for (const kind of kinds) {
            const key = keyOf(clusterId, namespace, kind)
            const one = followed.get(key)
            if (!one?.listeners.delete(listener) || one.listeners.size > 0) continue
            one.stop()
            followed.delete(key)
          }
        },
      }
    },
    /** The view that somebody keeps anyway, when it is whole. */
    current(clusterId: string, namespace: string): NamespaceView | undefined {
      const view = viewOf(clusterId, namespace, allKinds)
      return view.isComplete() ? view : undefined
    },
    close() {
      for (const one of followed.values()) one.stop()
      followed.clear()
    },
  }
}
export type WatchCaches = ReturnType<typeof createWatchCaches>

function follow(connection: ClusterConnection, namespace: string, kind: WatchedKind): Followed {
  const listeners = new Set<() => void>()
  let table = new Map<string, KubeObject>()
  let complete = false
  const settle = () => {
    complete = true
    tell()
  }
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const watch = connection.watch(
    watchedResources[kind],
    { namespace },
    {
      change(type, object) {
        if (type === 'DELETED') table.delete(object.metadata.name)
        else table.set(object.metadata.name, object)
        tell()
      },
      gap() {
        // A fresh list follows; until it is complete, readers ask the cluster.
        complete = false
        table = new Map()
      },
      synced: settle,
      missing: settle,
    },
  )
  return { listeners, objects: () => [...table.values()], isComplete: () => complete, stop: watch.stop }
}
