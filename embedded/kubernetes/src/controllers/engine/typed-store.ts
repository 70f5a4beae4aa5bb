import { isDeepStrictEqual } from 'node:util'
import type { GroupResource, KubeObject, ObjectMeta, ObjectStore, StoreEvent } from '../../object-store.ts'
import type { Kinds } from './kinds.ts'

/** The object kept under a resource: its precise shape where the controllers know it. */
export type ObjectOf<R extends GroupResource> = R extends keyof Kinds ? Kinds[R] : KubeObject

/** An object that a controller creates: without the metadata that the server sets. */
export type Draft = Omit<KubeObject, 'metadata'> & { metadata: Partial<ObjectMeta> }

/** The store with the shapes of the kinds that controllers work on, and writes that skip when nothing changes. */
export interface TypedStore {
  get<R extends GroupResource>(resource: R, namespace: string | undefined, name: string): ObjectOf<R> | undefined
  list<R extends GroupResource>(resource: R, namespace?: string): ObjectOf<R>[]
  owned<R extends GroupResource>(uid: string, resource: R): ObjectOf<R>[]
  ownedBy: ObjectStore['ownedBy']
  create(resource: GroupResource, draft: Draft): KubeObject
  update<R extends GroupResource>(
    resource: R,
    object: KubeObject,
    change: (current: ObjectOf<R>) => KubeObject,
    options?: { status?: boolean },
  ): void
  /** Writes the status when it differs; gone objects are left gone. */
  setStatus(resource: GroupResource, object: KubeObject, status: object): void
  delete: (
    resource: GroupResource,
    object: KubeObject,
    options?: { propagationPolicy?: 'Foreground' | 'Background' | 'Orphan'; gracePeriodSeconds?: number },
  ) => void
  remove(resource: GroupResource, object: KubeObject): void
  subscribe(listener: (resource: GroupResource, event: StoreEvent) => void): () => void
}

/** Drops undefined fields, so that what we write equals what a JSON round trip gives back. */
export function pruned<T>(value: T): T {
  if (Array.isArray(value)) return value.map(pruned) as T
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return Object.fromEntries(entries.map(([key, inner]) => [key, pruned(inner)])) as T
}

/** Runs an action and lets `missing` through as an outcome: the object went away meanwhile. */
function ignoringGone(action: () => void): void {
  try {
    action()
  } catch (error) {
    if (statusCode(error) !== 404) throw error
  }
}

/** The HTTP code of a Kubernetes Status error, wherever the thrower keeps it. */
export function statusCode(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, statusCode: other, status } = error as { code?: unknown; statusCode?: unknown; status?: unknown }
  const nested = typeof status === 'object' && status !== null ? (status as { code?: unknown }).code : status
  return [code, other, nested].find((candidate) => typeof candidate === 'number')
}

export function typedStore(store: ObjectStore): TypedStore {
  return {
    get: (resource, namespace, name) => store.get(resource, namespace, name) as never,
    list: (resource, namespace) => store.list(resource, namespace) as never,
    owned: (uid, resource) =>
      store
        .ownedBy(uid)
        .filter((entry) => entry.resource === resource)
        .map((entry) => entry.object) as never,
    ownedBy: (uid) => store.ownedBy(uid),
    create: (resource, draft) => store.create(resource, pruned(draft)),
    update(resource, { metadata }, change, options) {
      store.update(resource, metadata.namespace, metadata.name, (current) => change(current as never), options)
    },
    setStatus(resource, { metadata }, status) {
      const wanted = pruned(status)
      ignoringGone(() => {
        store.update(
          resource,
          metadata.namespace,
          metadata.name,
          (current) =>
            current.metadata.uid !== metadata.uid || isDeepStrictEqual(current.status, wanted)
              ? current
              : { ...current, status: wanted },
          { status: true },
        )
      })
    },
    delete(resource, { metadata }, options) {
      ignoringGone(() => {
        store.delete(resource, metadata.namespace, metadata.name, options)
      })
    },
    remove(resource, { metadata }) {
      ignoringGone(() => store.remove(resource, metadata.namespace, metadata.name))
    },
    subscribe: (listener) => store.subscribe(listener),
  }
}
