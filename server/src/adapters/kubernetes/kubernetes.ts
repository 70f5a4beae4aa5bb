import type { ClusterAccess } from './kubeconfig.ts'
import type { SpaceNamespace } from './space/clear-space.ts'
import type { PersonInSpace } from './space/person-identity.ts'
import type { Registration } from './space/portal-namespace.ts'
import type { ActionIdentity, SpaceHere } from './space/space-identity.ts'

/** A connection to a cluster, for the portal's own reading and for the little it writes itself. */
export interface Kubernetes {
  /** From a kubeconfig that was rebuilt from the allow-list; see kubeconfig.ts. */
  connect(kubeconfig: string, options?: ConnectOptions): ClusterConnection
}

interface ConnectOptions {
  /** Tells whether the address may be one of the operator's own network; no, unless it is said. */
  allowPrivateAddresses?: boolean
}

export interface KubeObject {
  apiVersion: string
  kind: string
  metadata: {
    name: string
    namespace?: string
    uid?: string
    resourceVersion?: string
    creationTimestamp?: string
    deletionTimestamp?: string
    deletionGracePeriodSeconds?: number
    finalizers?: string[]
    labels?: Record<string, string>
    annotations?: Record<string, string>
    ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string; controller?: boolean }[]
  }
  [field: string]: unknown
}

export interface ListSelection {
  namespace?: string
  labelSelector?: string
  fieldSelector?: string
  limit?: number
  /** Only what the objects are called and labelled, where the cluster can leave out the rest. */
  metadataOnly?: boolean
}

export interface ClusterConnection {
  version(): Promise<{ gitVersion: string }>
  /** `resource` as group/version/plural, as in `apps/v1/deployments`; core is `v1/pods`. 3 s limit, capped in size. */
  list(resource: string, selection?: ListSelection): Promise<KubeObject[]>
  get(resource: string, namespace: string | undefined, name: string): Promise<KubeObject | undefined>
  create(resource: string, object: KubeObject): Promise<KubeObject>
  /** Server-side apply by the field manager `quayside`, which takes fields that others hold. */
  apply(resource: string, object: KubeObject, options?: ApplyOptions): Promise<KubeObject>
  replace(resource: string, object: KubeObject): Promise<KubeObject>
  /**
   * Deletes an object without waiting for those that it owns; resolves to it where finalizers hold it nevertheless.
   * @param graceSeconds for a pod: the time that its programs have to end, in the place of what it asks for itself
   */
  remove(
    resource: string,
    namespace: string | undefined,
    name: string,
    graceSeconds?: number,
  ): Promise<KubeObject | undefined>
  /** Tells whether the API serves a kind, and where: group/version/plural. From discovery, cached. */
  resourceOf(apiVersion: string, kind: string): Promise<{ resource: string; namespaced: boolean } | undefined>
  /** Every kind that the API serves, as it was a minute ago at most, or as it is since this call. */
  kinds(age?: 'now'): Promise<ServedType[]>
  /** Changes of a resource until stopped; goes on by itself after a break, or says that there is a gap. */
  watch(resource: string, selection: ListSelection, on: WatchHandlers): { stop(): void }
  podLog(
    namespace: string,
    pod: string,
    options: PodLogOptions,
    signal: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>>
  /**
   * Makes the space's namespace and the account that deploys there; a kubeconfig of it for an hour: space-identity.ts.
   */
  spaceKubeconfig(space: SpaceHere): Promise<string>
  /** Makes the account of one action that reaches out of its space; a kubeconfig of it. */
  actionKubeconfig(action: ActionIdentity): Promise<string>
  /**
   * Brings a space's namespace, with its Pod Security level and network policy, and its binding to what they should be.
   */
  ensureSpace(space: SpaceHere): Promise<void>
  /** Addresses of the cluster's API server as pods reach it. */
  apiServers(): Promise<{ ip: string; port: number }[]>
  /**
   * Makes the account of a kubeconfig, and returns what reaches the cluster as it, for an hour; see person-identity.ts.
   */
  personAccess(person: PersonInSpace): Promise<Omit<ClusterAccess, 'name'>>
  /** Gives a kubeconfig another role. */
  bindPerson(person: PersonInSpace): Promise<void>
  /** Takes away what a kubeconfig may do, and its token. */
  endPersonAccess(person: Pick<PersonInSpace, 'id' | 'namespace'>): Promise<void>
  /** Kubeconfigs of a registration that have anything on its cluster. */
  personAccesses(registration: Registration): Promise<{ id: string; namespace: string }[]>
  /** Removes what versions before this one made for people in the namespaces of spaces; how much that was. */
  removeFormerAccounts(tenantId: string): Promise<number>
  /** Removes what the cluster has of a space, and tells what is still there; see clear-space.ts. */
  clearSpace(space: SpaceNamespace): Promise<string[]>
  /** Goes on with namespaces of a tenant's spaces that are being deleted. */
  endSpaces(tenantId: string): Promise<void>
  /** Lets those go that wait for their last pod, where nobody will look after them any more. */
  releaseSpaces(tenantId: string): Promise<void>
  /** Removes what a registration has on its cluster, and tells what is still there. */
  clearRegistration(
    registration: Registration,
    options: { keep: ReadonlySet<string>; isOnly: boolean },
  ): Promise<string[]>
  /** Namespaces of a tenant's spaces. */
  spacesOn(tenantId: string): Promise<SpaceNamespace[]>
  /** Registrations of a tenant that have made anything on this cluster. */
  registrationsOn(tenantId: string): Promise<Set<string>>
  /**
   * Brings the portal's own namespace and the cluster roles of spaces to what they should be; see portal-namespace.ts.
   */
  ensurePortalNamespace(
    registration: Registration,
    options?: { age?: 'now'; coming?: readonly string[] },
  ): Promise<void>
  /** Takes what says that a registration uses the cluster, and with the last one the portal's namespace. */
  leavePortalNamespace(registration: Registration): Promise<void>
  /** Node pools of the Sandbox; undefined on any other cluster. */
  sandboxPools(): Promise<{ name: string; count: number }[] | undefined>
  resizeSandboxPool(name: string, count: number): Promise<void>
  /** The time by the cluster's clock, from its last answer: timestamps of the cluster are compared with it. */
  now(): number
  close(): void
}

export interface ApplyOptions {
  dryRun?: boolean
  manager?: string
  /** Called with each warning that the cluster sends beside its answer. */
  onWarning?: (text: string) => void
  /** False: refused when another manager has set one of the fields to something else. */
  force?: boolean
}

export interface ServedType {
  apiVersion: string
  kind: string
  namespaced: boolean
  /** Its plural name in paths and roles. */
  resource: string
  /** Subresources by their own name, as `status`. */
  parts: string[]
}

export interface WatchHandlers {
  change(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: KubeObject): void
  /** The state known so far is stale: everything that exists is sent again as ADDED. */
  gap(): void
  /** All that was there has been told. */
  synced?(): void
  /** The cluster does not serve this; it is asked again now and then. */
  missing?(): void
}

export interface PodLogOptions {
  container?: string
  follow?: boolean
  previous?: boolean
  tailLines?: number
  sinceSeconds?: number
  /** RFC 3339; the cluster looks at whole seconds. */
  sinceTime?: string
  timestamps?: boolean
}
