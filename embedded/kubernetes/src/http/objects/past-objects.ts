import type { GroupResource, KubeObject } from '../../object-store.ts'
import type { ClusterStore } from '../../store/memory-store.ts'
import type { WatchCache } from '../../store/watch-cache.ts'

interface Parts {
  store: ClusterStore
  watches: WatchCache
}

const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`

function inOrder(a: KubeObject, b: KubeObject): number {
  const [left, right] = [a.metadata.namespace ?? '', b.metadata.namespace ?? '']
  if (left !== right) return left < right ? -1 : 1
  return a.metadata.name < b.metadata.name ? -1 : 1
}

/**
 * Objects at a past version: the present ones with every change since undone, newest first. Undefined when some of
 * those changes are no longer kept.
 */
export function objectsAt(
  { store, watches }: Parts,
  resource: GroupResource,
  namespace: string | undefined,
  version: number,
): KubeObject[] | undefined {
  const changes = watches.since(resource, version)
  if (!changes) return undefined
  const now = store.list(resource, namespace)
  if (changes.length === 0) return now
  const past = new Map(now.map((object) => [keyOf(object), object]))
  for (const { event } of changes.toReversed()) {
    const { object } = event
    if (namespace !== undefined && object.metadata.namespace !== namespace) continue
    if (event.type === 'ADDED') past.delete(keyOf(object))
    else past.set(keyOf(object), event.type === 'MODIFIED' ? event.old : object)
  }
  return [...past.values()].sort(inOrder)
}
