import type { AppState } from '@quayside/contract/apps/endpoints'
import type { CatalogItem, CatalogVersion } from '@quayside/contract/catalog/endpoints'
import type { AskedRight } from '@quayside/contract/clusters/asked-right'
import type { NetworkReach } from '@quayside/contract/clusters/network-reach'
import type { Approval } from '@quayside/contract/clusters/rules'
import type { IamResult, MessageLevel, ResultLine } from '@quayside/contract/deployments/endpoints'
import type { Waiting } from '@quayside/contract/live/live'
import type { ManifestObject } from '../../adapters/helm/manifest.ts'
import type { Release } from '../../adapters/helm/release.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import type { SpaceCondition } from '../../platform/auth/rights.ts'
import type { UnitOfWork } from '../../platform/db/unit-of-work.ts'
import type { Failure } from '../../platform/http/errors.ts'
import type {
  ActionWithRights,
  Asked,
  GivenRights,
  OutsideVerdict,
  ReleaseToBe,
  RollbackTo,
  WorkloadChange,
} from '../clusters/index.ts'
import type { ReleaseRef } from '../clusters/releases/release-ref.ts'

export type { GivenRights, OutsideVerdict, WorkloadChange } from '../clusters/index.ts'

/** A catalog version with what a deployment needs of its package. */
export interface VersionOf {
  version: CatalogVersion
  item: Omit<CatalogItem, 'deployedCount'>
  valuesYaml: string
  valuesSchema: unknown | null
  /** Id of the account that has uploaded the version; null where it was not kept. */
  publisherId: string | null
  /** Id of the source that brought the version, also when that is gone; null for one that was uploaded. */
  sourceId: string | null
}

export interface CatalogPort {
  /** Throws when there is no such item. */
  get(tenantId: string, by: { id: string }, countedWithin?: SpaceCondition): Promise<CatalogItem>
  versionOf(tenantId: string, versionId: string): Promise<VersionOf | undefined>
  /** Path of our stored package of this digest on the local disk. */
  packageFile(tenantId: string, digest: string): Promise<string>
  /** Names of the definitions that a version ships apart from its templates. */
  crdsOf(tenantId: string, versionId: string): Promise<string[]>
}

/** An object that cannot become ready by itself, and how long that has to stay so before it is believed. */
export interface Hopeless {
  key: string
  graceSeconds: number
  because: string
}

/** One revision as its release Secret tells it; its values are what was given to Helm, without the chart's defaults. */
export type ReleaseRevision = Release

/** An object that Helm does not take with it when it uninstalls a release. */
export interface LeftObject {
  apiVersion: string
  kind: string
  name: string
  /** Null for what belongs to the whole cluster. */
  namespace: string | null
  uid: string
  why: string
  detail: string | null
  /** Why nobody should remove it, whoever asks. */
  refusal: string | null
  /** It goes with the app unless somebody chooses to keep it. */
  goes?: true
}

/** How an object of a release is called in its manifest; without a namespace it lies in that of the release. */
export interface ObjectName {
  apiVersion: string
  kind: string
  name: string
  namespace: string | null
}

/** An object of a release that was to go and is still there. */
export interface Remaining extends ObjectName {
  /** It was deleted and waits for whoever holds it; otherwise nobody has deleted it. */
  isTerminating: boolean
  finalizers: string[]
}

interface ClusterRecord {
  id: string
  displayName: string
  clusterScoped: boolean
}

/** The lock on a release by a Helm of somebody else, as the cluster service judges it. */
export interface ReleaseLock {
  revision: number
  status: string
  since: string
  movedAt: string
  isDead: boolean
  says: string
}

export interface ClustersPort {
  record(tenantId: string, clusterId: string): Promise<ClusterRecord | undefined>
  /** Why a cluster cannot be used in a space: it is another one's, or the caller knows of none with this id. */
  elsewhere(actor: Actor, clusterId: string, field?: string): Promise<Failure>
  /**
   * Makes sure of the namespace and answers with a kubeconfig of the space's own identity, once the cluster enforces what
   * keeps spaces apart. `onWait` is called with the policies that it does not enforce yet.
   */
  deployKubeconfig(
    tenantId: string,
    clusterId: string,
    target: { namespace: string; spaceId: string },
    onWait?: (policies: readonly string[]) => void,
  ): Promise<string>
  /**
   * The change of a running workload in words. Throws the reason why it would not be carried out. `mustMayStart` is called
   * when it starts pods.
   */
  judgeChange(
    tenantId: string,
    appId: string,
    change: WorkloadChange,
    mustMayStart: () => Promise<void>,
  ): Promise<string>
  changeWorkload(
    tenantId: string,
    appId: string,
    change: WorkloadChange,
    mustMayStart: () => Promise<void>,
  ): Promise<void>
  /** All revisions, newest first; none when there is no such release. Throws `cluster.unreachable`. */
  readRelease(release: ReleaseRef): Promise<ReleaseRevision[]>
  /** The same, with the numbers of the revisions that nobody can read. */
  readHistory(release: ReleaseRef): Promise<{ revisions: ReleaseRevision[]; unreadable: number[] }>
  /** Puts a revision that nobody can read out of Helm's way. False when there is none, or it can be read. */
  setRevisionAside(release: ReleaseRef, revision: number): Promise<boolean>
  /** The objects of a release that are still there, and the finalizers that hold them. */
  remaining(release: ReleaseRef, objects: readonly ObjectName[]): Promise<Remaining[]>
  /** Rewrites the status of one revision, if it still is `from`. False when it was not. */
  setReleaseStatus(
    release: ReleaseRef,
    change: { revision: number; from: string; to: 'failed' | 'superseded'; description: string },
  ): Promise<boolean>
  /**
   * Tells what the release's objects wait for, until stopped; before that, what it has read of each revision. Of a
   * removal an object counts as ready when it is gone.
   */
  watchRelease(
    release: ReleaseRef,
    onWaiting: (state: Pick<Waiting, 'ready' | 'total' | 'objects'>) => void,
    more?: {
      isRemoval: boolean
      onRelease(release: ReleaseRevision): Promise<void> | void
      onHopeless?(found: readonly Hopeless[]): void
    },
  ): { stop(): void }
  /** Versions that charts are rendered for, and whether each kind (`apiVersion/kind`) lives in a namespace. */
  capabilities(
    tenantId: string,
    clusterId: string,
  ): Promise<{ kubeVersion: string; apiVersions: string[]; resourceScopes: ReadonlyMap<string, boolean> }>
  /** The objects that a release needs outside of its space, each with its verdict. */
  outsideOf(tenantId: string, release: ReleaseToBe): Promise<OutsideVerdict>
  /** Gives an action what it needs outside of its space, until `endOutsideRights`. */
  giveOutsideRights(action: ActionWithRights): Promise<GivenRights>
  /** Keeps the revision that a rollback reads as it is until `endOutsideRights`, and reads it. */
  lockRevision(action: RollbackTo): Promise<ReleaseRevision>
  /** Takes it back, and forgets what the release does not hold. Can be repeated. */
  endOutsideRights(action: ReleaseRef & { actionId: string }): Promise<void>
  /** Why the rights of a running action outside of its space were taken back; undefined: they were not. */
  withdrawn(tenantId: string, actionId: string): Promise<string | undefined>
  /** The rights that deploying in a space asks for, because pods there have rights outside of it; empty: they have none. */
  asksFor(tenantId: string, clusterId: string, spaceId: string): Promise<AskedRight[]>
  /** Tells what the network of a space lets pods reach that releases ask for. */
  reachOf(
    tenantId: string,
    clusterId: string,
    spaceId: string,
  ): Promise<Pick<NetworkReach, 'apiServer' | 'chartPolicies'>>
  /** Classes of priority among these that pods of a space may not name. */
  refusedPriorities(
    place: { tenantId: string; clusterId: string; spaceId: string },
    names: readonly string[],
  ): Promise<string[]>
  /** Asks those who may edit the cluster for what its list does not have. */
  askApproval(actor: Actor, asked: Asked): Promise<Approval>
  /**
   * Server-side dry run of a manifest as the space's identity; a line for each object that the cluster refuses, or that
   * belongs to somebody else already.
   */
  dryRun(
    tenantId: string,
    clusterId: string,
    target: { namespace: string; spaceId: string; releaseName: string; isNew: boolean },
    manifest: readonly ManifestObject[],
  ): Promise<ResultLine[]>
  /** Fields of the release's objects that others have set and a manifest would set again, a line for each object. */
  overwrites(
    tenantId: string,
    clusterId: string,
    target: { namespace: string; spaceId: string },
    manifest: string,
  ): Promise<string[]>
  /** Objects that uninstalling leaves; for a release that is gone already, those of `earlier` still there. */
  leftovers(
    release: ReleaseRef,
    known: { crds: readonly string[]; earlier: readonly LeftObject[] },
  ): Promise<LeftObject[]>
  /** Removes one as the space's identity, if it still is the object that was looked at. */
  removeLeftover(
    tenantId: string,
    clusterId: string,
    target: { namespace: string; spaceId: string },
    left: LeftObject,
  ): Promise<'removed' | 'going' | 'gone' | 'changed' | { refused: string }>
  /** A line for each quota and limit of the namespace that the manifest would pass. */
  shortfalls(
    tenantId: string,
    clusterId: string,
    place: { namespace: string; releaseName: string | null },
    manifest: readonly ManifestObject[],
  ): Promise<ResultLine[]>
  /** The lock on the release of an app; undefined when there is none. Throws `cluster.unreachable`. */
  releaseLock(tenantId: string, appId: string): Promise<ReleaseLock | undefined>
  /** The state that an app is left in by an action that has failed; undefined without a release name. */
  stateAfterFailure(
    tenantId: string,
    appId: string,
    said: string,
  ): Promise<{ state: AppState; message: string | null } | undefined>
  /** Throws when apps are on it, or when there is no such cluster. */
  mustHoldNoApps(tenantId: string, clusterId: string): Promise<void>
  /** Removes what a cluster has of a space; what is still there, in words. */
  clearSpace(tenantId: string, clusterId: string, space: { spaceId: string; namespace: string }): Promise<string[]>
  /** The same, of all that the tenant has on a cluster. */
  clearCluster(tenantId: string, clusterId: string): Promise<string[]>
  /** Lets go of what is being deleted on a cluster that is about to be forgotten, if it answers. */
  releaseSpaces(tenantId: string, clusterId: string): Promise<void>
  /** In the transaction that ends a deregistration. */
  forgetCluster(within: UnitOfWork, clusterId: string): Promise<void>
  /**
   * Namespaces of spaces on all clusters that answer, of every tenant. `isUsed`: the space uses the cluster; `isKnown`:
   * the portal knows that it made the namespace; `isInUse`: a release is in it.
   */
  spacesOnClusters(): Promise<
    {
      tenantId: string
      clusterId: string
      clusterName: string
      spaceId: string
      namespace: string
      isUsed: boolean
      isKnown: boolean
      isInUse: boolean
    }[]
  >
  /** Reads the app's state from the cluster again and writes it to its record. */
  refreshApp(tenantId: string, appId: string): Promise<void>
}

export interface AccessGroup {
  id: string | null
  name: string
  resourceRoles: string[]
}

export interface AccessTarget {
  tenantId: string
  realm: string
  appId: string
  appName: string
  releaseName: string
  resourceRoles: string[]
}

export interface KeptAccess {
  grants: boolean
  redirectUris: boolean
}

/** Callbacks of a call that may wait; `pause` rejects when waiting has no use any more, and then so does the call. */
export interface AccessWaits {
  say(message: string, level: MessageLevel): void
  pause(milliseconds: number): Promise<void>
}

/** Called between the parts of a grant, so that a test can cut there. */
type AccessMoment = (name: 'F9' | 'F10' | 'F11') => Promise<void> | undefined

export interface AccessPort {
  /**
   * Groups, roles and redirect URIs of a deployment; can be repeated, waits for an identity server
   * that has a passing fault. Undoes its own part when it fails, not when its wait was ended. `exactly`
   * these groups hold roles of the app afterwards, those that are gone are left out.
   */
  grantAccess(
    target: AccessTarget,
    groups: AccessGroup[],
    waits: AccessWaits,
    options?: {
      moment?: AccessMoment
      exactly?: boolean
      /** The user for whom it is done, and who must be allowed to; without one, groups get back what they held. */
      starterId?: string
    },
  ): Promise<IamResult>
  /**
   * Refuses a command whose new groups its caller may not make, or whose names are taken; `field` is where they stand.
   */
  checkNewGroups(actor: Actor, appId: string, groups: readonly AccessGroup[], field: string): Promise<void>
  /** Removes what grantAccess made, but for what shall be kept. */
  revokeAccess(target: AccessTarget, waits: AccessWaits, keep?: KeptAccess): Promise<IamResult>
  /** Groups that a deployment lets in, and its redirect URIs. */
  accessOf(target: AccessTarget): Promise<{ groups: string[]; people: number; redirectUris: string[] }>
}
