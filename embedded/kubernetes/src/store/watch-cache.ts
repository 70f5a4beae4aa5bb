import type { GroupResource, KubeObject, ObjectStore, StoreEvent } from '../object-store.ts'

/** A change as watchers see it. */
export interface Change {
  version: number
  event: StoreEvent
}

/** The newest changes of each resource, for watches that start a little in the past. */
export interface WatchCache {
  /** Changes after `version`, oldest first; undefined when some of them are forgotten. */
  since(resource: GroupResource, version: number): Change[] | undefined
  /** Called for every change of one resource. Returns the function that stops it. */
  follow(resource: GroupResource, use: (change: Change) => void): () => void
  close(): void
}

interface Recent {
  changes: Change[]
  /** Changes up to this version are forgotten. */
  forgotten: number
}

const KEEP = 2048

const versionOf = (object: KubeObject): number => Number(object.metadata.resourceVersion)

/** Where the first change after `version` stands. */
function firstAfter(changes: readonly Change[], version: number): number {
  let low = 0
  let high = changes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((changes[middle]?.version ?? 0) <= version) low = middle + 1
    else high = middle
  }
  return low
}

export function createWatchCache(store: ObjectStore): WatchCache {
  const recent = new Map<GroupResource, Recent>()
  const followers = new Map<GroupResource, Set<(change: Change) => void>>()
  const startedAt = Number(store.resourceVersion)

  const recentOf = (resource: GroupResource): Recent => {
    const known = recent.get(resource)
    if (known) return known
    const made: Recent = { changes: [], forgotten: startedAt }
    recent.set(resource, made)
    return made
  }

  const stop = store.subscribe((resource, event) => {
    const change: Change = { version: versionOf(event.object), event }
    const kept = recentOf(resource)
    kept.changes.push(change)
    if (kept.changes.length > 2 * KEEP) {
      const gone = kept.changes.splice(0, KEEP)
      kept.forgotten = gone.at(-1)?.version ?? kept.forgotten
    }
    for (const use of followers.get(resource) ?? []) use(change)
  })

  return {
    since(resource, version) {
      const { changes, forgotten } = recentOf(resource)
      return version < forgotten ? undefined : changes.slice(firstAfter(changes, version))
    },
    follow(resource, use) {
      const known = followers.get(resource) ?? new Set()
      followers.set(resource, known.add(use))
      return () => {
        known.delete(use)
      }
    },
    close() {
      stop()
      followers.clear()
    },
  }
}
