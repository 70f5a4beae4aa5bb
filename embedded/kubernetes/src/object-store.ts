/** Anything the API serves. Unknown fields are kept as they came. */
export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: ObjectMeta
  [field: string]: unknown
}

export interface ObjectMeta {
  name: string
  namespace?: string
  uid: string
  resourceVersion: string
  generation?: number
  creationTimestamp: string
  deletionTimestamp?: string
  deletionGracePeriodSeconds?: number
  finalizers?: string[]
  labels?: Record<string, string>
  annotations?: Record<string, string>
  ownerReferences?: OwnerReference[]
  generateName?: string
  managedFields?: unknown[]
  [field: string]: unknown
}

export interface OwnerReference {
  apiVersion: string
  kind: string
  name: string
  uid: string
  controller?: boolean
  blockOwnerDeletion?: boolean
}

export type StoreEvent =
  | { type: 'ADDED'; object: KubeObject }
  | { type: 'MODIFIED'; object: KubeObject; old: KubeObject }
  | { type: 'DELETED'; object: KubeObject }

/** A resource by group and plural, as in `apps/deployments`; core resources have no group: `/pods`. */
export type GroupResource = `${string}/${string}`

/**
 * The one place where objects live. Synchronous: a call either happened or threw a Kubernetes Status error.
 * Objects handed out are frozen; to change one, pass a function that returns the next version.
 */
export interface ObjectStore {
  get(resource: GroupResource, namespace: string | undefined, name: string): KubeObject | undefined
  /** Objects of one resource; of one namespace when given. Iteration order is by namespace and name. */
  list(resource: GroupResource, namespace?: string): KubeObject[]
  /** Objects of any resource whose ownerReferences name this uid. */
  ownedBy(uid: string): { resource: GroupResource; object: KubeObject }[]
  create(resource: GroupResource, object: Omit<KubeObject, 'metadata'> & { metadata: Partial<ObjectMeta> }): KubeObject
  /**
   * Replaces an object by `change(current)`. Returning the same reference means no write. Spec changes raise
   * metadata.generation; `status: true` means that only status (and metadata) may differ.
   * Throws NotFound when it is gone.
   */
  update(
    resource: GroupResource,
    namespace: string | undefined,
    name: string,
    change: (current: KubeObject) => KubeObject,
    options?: { status?: boolean },
  ): KubeObject
  /** Marks for deletion while finalizers or a grace period remain, else removes. Returns the last version. */
  delete(
    resource: GroupResource,
    namespace: string | undefined,
    name: string,
    options?: { propagationPolicy?: 'Foreground' | 'Background' | 'Orphan'; gracePeriodSeconds?: number },
  ): KubeObject | undefined
  /** Removes a pod whose grace period is over, whatever its finalizers' absence says; for the kubelet and GC only. */
  remove(resource: GroupResource, namespace: string | undefined, name: string): void
  /** Called after each committed change of any resource, in order. Returns the function that stops it. */
  subscribe(listener: (resource: GroupResource, event: StoreEvent) => void): () => void
  /** The resource version of the newest change. */
  readonly resourceVersion: string
}
