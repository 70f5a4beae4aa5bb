import { randomUUID } from 'node:crypto'
import { alreadyExists, forbidden, internalError, notFound, type StatusCause, type Subject } from '../api-error.ts'
import type { Clock } from '../clock.ts'
import type { GroupResource, KubeObject, ObjectMeta, ObjectStore, StoreEvent } from '../object-store.ts'
import { cloneDoc, deepEqual, deepFreeze } from './doc.ts'
import type { Journal, JournalEntry } from './journal.ts'
import {
  type DeleteOptions,
  keepIdentity,
  markDeleted,
  mayGo,
  specChanged,
  statusOnly,
  tidied,
  tidy,
} from './lifecycle.ts'
import { freeName, kubeTime } from './names.ts'
import { ObjectTable } from './object-table.ts'
import { OwnerIndex } from './owner-index.ts'

export type Draft = Omit<KubeObject, 'metadata'> & { metadata: Partial<ObjectMeta> }
type Listener = (resource: GroupResource, event: StoreEvent) => void

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

interface StoreParts {
  clock: Clock
  journal?: Journal
  /** Fills in and checks an object about to be created, whoever creates it; it may change the draft, and throw. */
  admit?: (resource: GroupResource, draft: KubeObject) => void
  /** Tells whether objects of this resource count their spec changes in metadata.generation. */
  hasGeneration?: (resource: GroupResource) => boolean
  report?: (error: unknown) => void
}

export const subjectOf = (resource: GroupResource): Subject => {
  const slash = resource.indexOf('/')
  return { group: resource.slice(0, slash), resource: resource.slice(slash + 1) }
}

/**
 * First version of a new store. Versions before it count as expired: a watch that wants to start there must list
 * instead.
 */
const FIRST_VERSION = 100

/** Tells listeners of changes one by one: one that makes a change itself does so while others still wait. */
class Announcements {
  private readonly listeners = new Set<Listener>()
  private readonly pending: { resource: GroupResource; event: StoreEvent }[] = []
  private readonly report: (error: unknown) => void
  private delivering = false

  constructor(report: (error: unknown) => void) {
    this.report = report
  }

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  announce(resource: GroupResource, event: StoreEvent): void {
    this.pending.push({ resource, event })
    if (this.delivering) return
    this.delivering = true
    for (let next = this.pending.shift(); next; next = this.pending.shift()) {
      for (const listener of this.listeners) this.tell(listener, next.resource, next.event)
    }
    this.delivering = false
  }

  clear(): void {
    this.listeners.clear()
  }

  /** One listener's failure is not the others', and not the writer's. */
  private tell(listener: Listener, resource: GroupResource, event: StoreEvent): void {
    try {
      listener(resource, event)
    } catch (error) {
      this.report(error)
    }
  }
}

class MemoryStore implements ClusterStore {
  private readonly tables = new Map<GroupResource, ObjectTable>()
  private readonly owners = new OwnerIndex()
  private readonly parts: StoreParts
  private readonly announcements: Announcements
  private version = FIRST_VERSION

  constructor(parts: StoreParts) {
    this.parts = parts
    this.announcements = new Announcements(parts.report ?? console.error)
    const { journal } = parts
    journal?.replay((entry) => this.load(entry))
    journal?.compact(this.snapshot())
  }

  get resourceVersion(): string {
    return String(this.version)
  }

  get(resource: GroupResource, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.tables.get(resource)?.get(namespace ?? '', name)
  }

  list(resource: GroupResource, namespace?: string): KubeObject[] {
    return this.tables.get(resource)?.list(namespace) ?? []
  }

  ownedBy(uid: string): { resource: GroupResource; object: KubeObject }[] {
    return this.owners.ownedBy(uid).flatMap(({ resource, namespace, name }) => {
      const object = this.get(resource, namespace, name)
      return object ? [{ resource, object }] : []
    })
  }

  resources(): GroupResource[] {
    return [...this.tables].filter(([, table]) => !table.isEmpty).map(([resource]) => resource)
  }

  create(resource: GroupResource, draft: Draft, options?: { dryRun?: boolean }): KubeObject {
    const { generateName, namespace } = draft.metadata
    const isFree = (candidate: string) => !this.get(resource, namespace, candidate)
    const name = draft.metadata.name || (generateName ? freeName(generateName, isFree) : '')
    if (!name) throw internalError(`an object of ${resource} came without a name`)
    const there = this.get(resource, namespace, name)
    if (there) throw alreadyExists(subjectOf(resource), name, there.metadata.deletionTimestamp !== undefined)
    this.checkHome(resource, namespace, name)
    const own = cloneDoc(draft as KubeObject)
    const object: KubeObject = {
      ...own,
      metadata: {
        ...own.metadata,
        name,
        uid: randomUUID(),
        resourceVersion: '',
        creationTimestamp: kubeTime(this.parts.clock.now()),
        ...(this.parts.hasGeneration?.(resource) ? { generation: 1 } : {}),
      },
    }
    tidy(object.metadata)
    this.parts.admit?.(resource, object)
    if (!options?.dryRun) return this.commit(resource, undefined, object)
    const { resourceVersion: _none, ...metadata } = object.metadata
    return deepFreeze({ ...object, metadata: metadata as ObjectMeta })
  }

  update(
    resource: GroupResource,
    namespace: string | undefined,
    name: string,
    change: (current: KubeObject) => KubeObject,
    options?: { status?: boolean; dryRun?: boolean },
  ): KubeObject {
    const current = this.get(resource, namespace, name)
    if (!current) throw notFound(subjectOf(resource), name)
    const wanted = change(current)
    if (wanted === current) return current
    const next = tidied(keepIdentity(current, options?.status ? statusOnly(current, wanted) : wanted))
    const { generation } = current.metadata
    if (generation !== undefined && !options?.status && specChanged(current, next)) {
      next.metadata.generation = generation + 1
    }
    if (deepEqual(current, next)) return current
    if (options?.dryRun) return deepFreeze(next)
    return mayGo(resource, next) ? this.commitRemoval(resource, next) : this.commit(resource, current, next)
  }

  delete(
    resource: GroupResource,
    namespace: string | undefined,
    name: string,
    options: DeleteOptions & { dryRun?: boolean } = {},
  ): KubeObject | undefined {
    const current = this.get(resource, namespace, name)
    if (!current) return undefined
    const marked = markDeleted(resource, current, options, this.parts.clock.now())
    if (options.dryRun) return deepFreeze(marked)
    if (mayGo(resource, marked)) return this.commitRemoval(resource, resource === '/pods' ? marked : current)
    return marked === current ? current : this.commit(resource, current, marked)
  }

  remove(resource: GroupResource, namespace: string | undefined, name: string): void {
    const current = this.get(resource, namespace, name)
    if (!current) return
    const marked = markDeleted(resource, current, { gracePeriodSeconds: 0 }, this.parts.clock.now())
    if (mayGo(resource, marked)) this.commitRemoval(resource, marked)
    else if (marked !== current) this.commit(resource, current, marked)
  }

  subscribe(listener: Listener): () => void {
    return this.announcements.subscribe(listener)
  }

  close(): void {
    this.announcements.clear()
    this.parts.journal?.close()
  }

  /** Nothing new comes into a namespace that is on its way out. */
  private checkHome(resource: GroupResource, namespace: string | undefined, name: string): void {
    const home = namespace ? this.get('/namespaces', undefined, namespace) : undefined
    if (!home?.metadata.deletionTimestamp) return
    const why = `unable to create new content in namespace ${namespace} because it is being terminated`
    const cause: StatusCause = {
      reason: 'NamespaceTerminating',
      message: `namespace ${namespace} is being terminated`,
      field: 'metadata.namespace',
    }
    throw forbidden(subjectOf(resource), name, why, [cause])
  }

  private tableOf(resource: GroupResource): ObjectTable {
    const known = this.tables.get(resource)
    if (known) return known
    const made = new ObjectTable()
    this.tables.set(resource, made)
    return made
  }

  private *snapshot(): Generator<JournalEntry> {
    yield { version: this.version }
    for (const [put, table] of this.tables) for (const object of table.list()) yield { put, object }
  }

  private load(entry: JournalEntry): void {
    if ('put' in entry) {
      const { namespace, name, resourceVersion } = entry.object.metadata
      const old = this.get(entry.put, namespace, name)
      this.tableOf(entry.put).put(deepFreeze(entry.object))
      this.owners.change(entry.put, old, entry.object)
      this.version = Math.max(this.version, Number(resourceVersion))
      return
    }
    this.version = Math.max(this.version, entry.version)
    if (!('drop' in entry)) return
    const old = this.get(entry.drop, entry.namespace, entry.name)
    this.tableOf(entry.drop).drop(entry.namespace, entry.name)
    this.owners.change(entry.drop, old, undefined)
  }

  /** The journal first: what it does not take has not happened. */
  private commit(resource: GroupResource, old: KubeObject | undefined, next: KubeObject): KubeObject {
    const version = this.version + 1
    next.metadata = { ...next.metadata, resourceVersion: String(version) }
    this.parts.journal?.append({ put: resource, object: next })
    this.version = version
    deepFreeze(next)
    this.tableOf(resource).put(next)
    this.owners.change(resource, old, next)
    if (this.parts.journal?.wantsCompaction) this.parts.journal.compact(this.snapshot())
    this.announcements.announce(
      resource,
      old ? { type: 'MODIFIED', object: next, old } : { type: 'ADDED', object: next },
    )
    return next
  }

  private commitRemoval(resource: GroupResource, last: KubeObject): KubeObject {
    const { namespace = '', name } = last.metadata
    const version = this.version + 1
    const object = { ...last, metadata: { ...last.metadata, resourceVersion: String(version) } }
    this.parts.journal?.append({ drop: resource, namespace, name, version })
    this.version = version
    deepFreeze(object)
    this.tableOf(resource).drop(namespace, name)
    this.owners.change(resource, last, undefined)
    this.announcements.announce(resource, { type: 'DELETED', object })
    return object
  }
}

/** Objects in memory, every change in the journal before anyone hears of it. */
export function createStore(parts: StoreParts): ClusterStore {
  return new MemoryStore(parts)
}
