import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'

/** The kinds that are read in a namespace: everything that runs, and everything that people look up. */
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

const fewObjects = 12

/** The objects of a namespace at one moment. */
export interface NamespaceView {
  of(kind: WatchedKind): KubeObject[]
}

export const allKinds = Object.keys(watchedResources) as WatchedKind[]

export function isWatchedKind(kind: string): kind is WatchedKind {
  return Object.hasOwn(watchedResources, kind)
}

/** Reads a namespace once. A kind that the cluster does not serve counts as empty. */
export async function readNamespace(
  connection: ClusterConnection,
  namespace: string,
  wanted: readonly WatchedKind[] = allKinds,
): Promise<NamespaceView> {
  const lists = await Promise.all(
    wanted.map(async (kind) => [kind, await listOrNone(connection, watchedResources[kind], namespace)] as const),
  )
  const found = new Map<WatchedKind, KubeObject[]>(lists)
  return { of: (kind) => found.get(kind) ?? [] }
}

/** Reads these objects alone: cheaper than a namespace in which much runs, as long as they are few. */
export async function readObjects(
  connection: ClusterConnection,
  namespace: string,
  wanted: readonly { kind: string; name: string; namespace?: string | undefined }[],
): Promise<NamespaceView> {
  const own = wanted.filter((each) => each.namespace === undefined || each.namespace === namespace)
  const named = own.flatMap(({ kind, name }) => (isWatchedKind(kind) ? [{ kind, name }] : []))
  if (named.length > fewObjects)
    return readNamespace(connection, namespace, [...new Set(named.map(({ kind }) => kind))])
  const found = await Promise.all(
    named.map(async ({ kind, name }) => ({
      kind,
      object: await connection.get(watchedResources[kind], namespace, name),
    })),
  )
  return { of: (wanted) => found.flatMap(({ kind, object }) => (kind === wanted && object ? [object] : [])) }
}

async function listOrNone(connection: ClusterConnection, resource: string, namespace: string): Promise<KubeObject[]> {
  try {
    return await connection.list(resource, { namespace })
  } catch (error) {
    if ((error as { httpStatus?: number }).httpStatus === 404) return []
    throw error
  }
}
