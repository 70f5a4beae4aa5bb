import type { ObjectStore } from '@quayside/embedded-kubernetes/object-store'
import type { ClusterStore } from '@quayside/embedded-kubernetes/store/memory-store'

type Resource = Parameters<ObjectStore['list']>[0]

/** Kept by every cluster, whoever comes and goes; a volume is told of by its claim. */
const OF_THE_CLUSTER = new Set(['/events', 'events.k8s.io/events', 'coordination.k8s.io/leases', '/persistentvolumes'])
/** Objects that Kubernetes creates in every namespace. */
const OF_ANY_NAMESPACE = /^(serviceaccounts [^/]+\/default|configmaps [^/]+\/kube-root-ca\.crt)$/
const TIMEOUT_MS = 15_000

const pathOf = (resource: Resource, { namespace, name }: { namespace?: string; name: string }) =>
  `${resource.replace(/^\//, '')} ${namespace ? `${namespace}/` : ''}${name}`

/** Names of all objects that matter. */
export function snapshot(store: ClusterStore): Set<string> {
  const kept = store.resources().filter((resource) => !OF_THE_CLUSTER.has(resource))
  return new Set(kept.flatMap((resource) => store.list(resource).map(({ metadata }) => pathOf(resource, metadata))))
}

/** Paths of objects that did not exist before, except the namespace itself. Waits for pods that are still stopping. */
export async function whatIsLeft(store: ClusterStore, before: Set<string>, namespace: string): Promise<string[]> {
  const isOurs = (path: string) => path !== `namespaces ${namespace}` && !OF_ANY_NAMESPACE.test(path)
  const deadline = Date.now() + TIMEOUT_MS
  while (isStopping(store) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50))
  return [...snapshot(store)].filter((path) => !before.has(path) && isOurs(path))
}

function isStopping(store: ClusterStore): boolean {
  return store
    .resources()
    .some((resource) => store.list(resource).some(({ metadata }) => metadata.deletionTimestamp !== undefined))
}
