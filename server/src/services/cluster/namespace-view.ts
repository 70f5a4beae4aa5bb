import type { ClusterConnection, KubeObject } from '../../adapters/kubernetes/kubernetes.ts'

/** What is looked at of a namespace: everything that runs, or that people ask about. */
export const watchedResources = {
  Pod: 'v1/pods',
  Deployment: 'apps/v1/deployments',
  ReplicaSet: 'apps/v1/replicasets',
  StatefulSet: 'apps/v1/statefulsets',
  DaemonSet: 'apps/v1/daemonsets',
  Job: 'batch/v1/jobs',
  CronJob: 'batch/v1/cronjobs',
  PersistentVolumeClaim: 'v1/persistentvolumeclaims',
  Service: 'v1/services',
  ServiceAccount: 'v1/serviceaccounts',
  Ingress: 'networking.k8s.io/v1/ingresses',
  Event: 'v1/events',
} as const
export type WatchedKind = keyof typeof watchedResources

/** The objects of a namespace at one moment. */
export interface NamespaceView {
  of(kind: WatchedKind): KubeObject[]
}

const kinds = Object.keys(watchedResources) as WatchedKind[]

export function isWatchedKind(kind: string): kind is WatchedKind {
  return Object.hasOwn(watchedResources, kind)
}

/** Reads a namespace once. A kind that the cluster does not serve counts as empty. */
export async function readNamespace(
  connection: ClusterConnection,
  namespace: string,
  wanted: readonly WatchedKind[] = kinds,
): Promise<NamespaceView> {
  const lists = await Promise.all(
    wanted.map(async (kind) => [kind, await listOrNone(connection, watchedResources[kind], namespace)] as const),
  )
  const found = new Map<WatchedKind, KubeObject[]>(lists)
  return { of: (kind) => found.get(kind) ?? [] }
}

async function listOrNone(connection: ClusterConnection, resource: string, namespace: string): Promise<KubeObject[]> {
  try {
    return await connection.list(resource, { namespace })
  } catch (error) {
    if ((error as { httpStatus?: number }).httpStatus === 404) return []
    throw error
  }
}

/** A view that follows its namespace until it is left. */
export interface Mirror extends NamespaceView {
  /** Whether everything was read at least once. */
  isComplete(): boolean
  leave(): void
}

/** Keeps one mirror of a namespace for however many look at it. */
export function createMirrors() {
  const mirrors = new Map<string, ReturnType<typeof startMirror> & { users: number }>()
  const keyOf = (clusterId: string, namespace: string) => `${clusterId}|${namespace}`

  return {
    enter(clusterId: string, connection: ClusterConnection, namespace: string, onChange: () => void): Mirror {
      const key = keyOf(clusterId, namespace)
      const mirror = mirrors.get(key) ?? { ...startMirror(connection, namespace), users: 0 }
      mirror.users += 1
      mirror.listeners.add(onChange)
      mirrors.set(key, mirror)
      let left = false
      return {
        of: mirror.of,
        isComplete: mirror.isComplete,
        leave() {
          if (left) return
          left = true
          mirror.listeners.delete(onChange)
          mirror.users -= 1
          if (mirror.users > 0) return
          mirror.stop()
          if (mirrors.get(key) === mirror) mirrors.delete(key)
        },
      }
    },
    /** The view of a mirror that somebody keeps anyway, when it is complete. */
    current(clusterId: string, namespace: string): NamespaceView | undefined {
      const mirror = mirrors.get(keyOf(clusterId, namespace))
      return mirror?.isComplete() ? mirror : undefined
    },
    close() {
      for (const mirror of mirrors.values()) mirror.stop()
      mirrors.clear()
    },
  }
}
export type Mirrors = ReturnType<typeof createMirrors>

function startMirror(connection: ClusterConnection, namespace: string) {
  const tables = new Map<WatchedKind, Map<string, KubeObject>>()
  const complete = new Set<WatchedKind>()
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const watches = kinds.map((kind) => {
    let table = new Map<string, KubeObject>()
    tables.set(kind, table)
    return connection.watch(
      watchedResources[kind],
      { namespace },
      {
        change(type, object) {
          if (type === 'DELETED') table.delete(object.metadata.name)
          else table.set(object.metadata.name, object)
          tell()
        },
        gap() {
          // What follows is a fresh list; until it is whole, readers ask the cluster.
          complete.delete(kind)
          table = new Map()
          tables.set(kind, table)
        },
        synced() {
          complete.add(kind)
          tell()
        },
        missing() {
          complete.add(kind)
        },
      },
    )
  })
  return {
    listeners,
    of: (kind: WatchedKind) => [...(tables.get(kind)?.values() ?? [])],
    isComplete: () => complete.size === kinds.length,
    stop() {
      for (const watch of watches) watch.stop()
    },
  }
}
