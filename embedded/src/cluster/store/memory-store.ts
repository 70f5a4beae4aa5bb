import { randomUUID } from 'node:crypto'
import { alreadyExists, forbidden, internalError, notFound, type Subject } from '../api-error.ts'
import type { Clock } from '../clock.ts'
import type { GroupResource, KubeObject, ObjectMeta, ObjectStore, StoreEvent } from '../object-store.ts'
import { cloneDoc, deepEqual, deepFreeze } from './doc.ts'
import type { Journal, JournalEntry } from './journal.ts'
import { type DeleteOptions, markDeleted, mayGo, specChanged, statusOnly } from './lifecycle.ts'
import { freeName, kubeTime } from './names.ts'
import { ObjectTable } from './object-table.ts'
import { OwnerIndex } from './owner-index.ts'

export type Draft = Omit<KubeObject, 'metadata'> & { metadata: Partial<ObjectMeta> }
export type Listener = (resource: GroupResource, event: StoreEvent) => void

/** Object store with what only the API needs: dry runs and a look at which resources hold objects. */
export interface ClusterStore extends ObjectStore {
  create(resource: GroupResource, object: Draft, options?: { dryRun?: boolean }): KubeObject
  update(
    resource: GroupResource,
    namespace: string | undefined,
    name: string,
    change: (current: KubeObject) => KubeObject,
    options?: { status?: boolean; dryRun?: boolean },
  ): KubeObject
  delete(
    resource: GroupResource,
    namespace: string | undefined,
    name: string,
    options?: DeleteOptions & { dryRun?: boolean },
  ): KubeObject | undefined
  /** Resources that hold at least one object. */
  resources(): GroupResource[]
  close(): void
}

export interface StoreParts {
  clock: Clock
  journal?: Journal
  /** Fills in and checks an object about to be created, whoever creates it; it may change the draft, and throw. */
  admit?: (resource: GroupResource, draft: KubeObject) => void
  /** Whether objects of this resource count their spec changes in metadata.generation. */
  hasGeneration?: (resource: GroupResource) => boolean
  report?: (error: unknown) => void
}

export const subjectOf = (resource: GroupResource): Subject => {
  const slash = resource.indexOf('/')
  return { group: resource.slice(0, slash), resource: resource.slice(slash + 1) }
}

/** Objects in memory, every change in the journal before anyone hears of it. */
export function createStore({
  clock,
  journal,
  admit,
  hasGeneration,
  report = console.error,
}: StoreParts): ClusterStore {
  const tables = new Map<GroupResource, ObjectTable>()
  const owners = new OwnerIndex()
  const listeners = new Set<Listener>()
  const pending: { resource: GroupResource; event: StoreEvent }[] = []
  let delivering = false
  let version = 1

  const tableOf = (resource: GroupResource): ObjectTable => {
    const known = tables.get(resource)
    if (known) return known
    const made = new ObjectTable()
    tables.set(resource, made)
    return made
  }

  function* snapshot(): Generator<JournalEntry> {
    yield { version }
    for (const [put, table] of tables) for (const object of table.list()) yield { put, object }
  }

  /** A listener that changes objects does so while others still wait for this event: a queue keeps the order. */
  function deliver(resource: GroupResource, event: StoreEvent): void {
    pending.push({ resource, event })
    if (delivering) return
    delivering = true
    for (let next = pending.shift(); next; next = pending.shift()) {
      for (const listener of listeners) {
        try {
          listener(next.resource, next.event)
        } catch (error) {
          report(error)
        }
      }
    }
    delivering = false
  }

  function commit(resource: GroupResource, old: KubeObject | undefined, next: KubeObject): KubeObject {
    next.metadata = { ...next.metadata, resourceVersion: String(version + 1) }
    journal?.append({ put: resource, object: next })
    version += 1
    deepFreeze(next)
    tableOf(resource).put(next)
    owners.change(resource, old, next)
    if (journal?.wantsCompaction) journal.compact(snapshot())
    deliver(resource, old ? { type: 'MODIFIED', object: next, old } : { type: 'ADDED', object: next })
    return next
  }

  function commitRemoval(resource: GroupResource, last: KubeObject): KubeObject {
    const { namespace = '', name } = last.metadata
    const object = { ...last, metadata: { ...last.metadata, resourceVersion: String(version + 1) } }
    journal?.append({ drop: resource, namespace, name, version: version + 1 })
    version += 1
    deepFreeze(object)
    tableOf(resource).drop(namespace, name)
    owners.change(resource, last, undefined)
    deliver(resource, { type: 'DELETED', object })
    return object
  }

  function load(entry: JournalEntry): void {
    if ('put' in entry) {
      const { namespace = '', name } = entry.object.metadata
      const old = tables.get(entry.put)?.get(namespace, name)
      tableOf(entry.put).put(deepFreeze(entry.object))
      owners.change(entry.put, old, entry.object)
      version = Math.max(version, Number(entry.object.metadata.resourceVersion))
      return
    }
    version = Math.max(version, entry.version)
    if (!('drop' in entry)) return
    const old = tables.get(entry.drop)?.get(entry.namespace, entry.name)
    tableOf(entry.drop).drop(entry.namespace, entry.name)
    owners.change(entry.drop, old, undefined)
  }

  const find = (resource: GroupResource, namespace: string | undefined, name: string) =>
    tables.get(resource)?.get(namespace ?? '', name)

  if (journal) {
    journal.replay(load)
    journal.compact(snapshot())
  }

  return {
    get: find,
    list: (resource, namespace) => tables.get(resource)?.list(namespace) ?? [],
    ownedBy: (uid) =>
      owners.ownedBy(uid).flatMap(({ resource, namespace, name }) => {
        const object = find(resource, namespace, name)
        return object ? [{ resource, object }] : []
      }),
    create(resource, draft, options) {
      const { generateName, namespace } = draft.metadata
      const about = subjectOf(resource)
      const isFree = (candidate: string) => !find(resource, namespace, candidate)
      const name = draft.metadata.name || (generateName ? freeName(generateName, isFree) : '')
      if (!name) throw internalError(`an object of ${resource} came without a name`)
      if (find(resource, namespace, name)) throw alreadyExists(about, name)
      const home = namespace ? find('/namespaces', undefined, namespace) : undefined
      if (home?.metadata.deletionTimestamp) {
        throw forbidden(
          about,
          name,
          `unable to create new content in namespace ${namespace} because it is being terminated`,
        )
      }
      const own = cloneDoc(draft as KubeObject)
      const object: KubeObject = {
        ...own,
        metadata: {
          ...own.metadata,
          name,
          uid: randomUUID(),
          resourceVersion: '',
          creationTimestamp: kubeTime(clock.now()),
          ...(hasGeneration?.(resource) ? { generation: 1 } : {}),
        },
      }
      admit?.(resource, object)
      return options?.dryRun ? deepFreeze(object) : commit(resource, undefined, object)
    },
    update(resource, namespace, name, change, options) {
      const current = find(resource, namespace, name)
      if (!current) throw notFound(subjectOf(resource), name)
      const wanted = change(current)
      if (wanted === current) return current
      const next = options?.status ? statusOnly(current, wanted) : { ...wanted }
      const { uid, creationTimestamp, resourceVersion, generation } = current.metadata
      next.metadata = { ...next.metadata, name, uid, creationTimestamp, resourceVersion }
      for (const kept of ['namespace', 'generateName', 'deletionTimestamp', 'deletionGracePeriodSeconds'] as const) {
        if (current.metadata[kept] === undefined) delete next.metadata[kept]
        else next.metadata = { ...next.metadata, [kept]: current.metadata[kept] }
      }
      if (generation === undefined) delete next.metadata.generation
      else next.metadata.generation = options?.status || !specChanged(current, next) ? generation : generation + 1
      if (deepEqual(current, next)) return current
      if (options?.dryRun) return deepFreeze(next)
      return mayGo(resource, next) ? commitRemoval(resource, next) : commit(resource, current, next)
    },
    delete(resource, namespace, name, options = {}) {
      const current = find(resource, namespace, name)
      if (!current) return undefined
      const marked = markDeleted(resource, current, options, clock.now())
      if (options.dryRun) return deepFreeze(marked)
      if (mayGo(resource, marked)) return commitRemoval(resource, resource === '/pods' ? marked : current)
      return marked === current ? current : commit(resource, current, marked)
    },
    remove(resource, namespace, name) {
      const current = find(resource, namespace, name)
      if (!current) return
      const marked = markDeleted(resource, current, { gracePeriodSeconds: 0 }, clock.now())
      if (mayGo(resource, marked)) commitRemoval(resource, marked)
      else if (marked !== current) commit(resource, current, marked)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    resources: () => [...tables].filter(([, table]) => !table.isEmpty).map(([resource]) => resource),
    get resourceVersion() {
      return String(version)
    },
    close() {
      listeners.clear()
      journal?.close()
    },
  }
}
