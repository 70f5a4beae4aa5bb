import type { AppState } from '@quayside/contract/apps/endpoints'
import type { Scope } from '@quayside/contract/permissions/scopes'
import type { Release } from '../../adapters/helm/release.ts'
import type { Actor, Holder } from '../../platform/auth/actor.ts'
import type { Grantor } from '../../platform/auth/escalation.ts'
import type { SpaceCondition } from '../../platform/auth/rights.ts'

/** The facts about an app that this service needs: its place, its release and its state. */
export interface AppPlace {
  id: string
  clusterId: string
  spaceId: string
  namespace: string
  releaseName: string | null
  /** The one that was last deployed; null when none ever was. */
  revision: number | null
  state: AppState
  stateMessage: string | null
}

/** Calls to other services; spaces and apps keep the records. */
export interface ClusterPorts {
  app(tenantId: string, appId: string): Promise<AppPlace | undefined>
  space(
    tenantId: string,
    spaceId: string,
  ): Promise<{ id: string; name: string; displayName: string; namespace: string; clusterIds: string[] } | undefined>
  /** Apps and spaces of each cluster, by cluster id: those within some spaces, or all. */
  appCounts(tenantId: string, within?: SpaceCondition): Promise<Map<string, number>>
  spaceCounts(tenantId: string, within?: SpaceCondition): Promise<Map<string, number>>
  /** Ids of the clusters that are used in some spaces. */
  clustersOfSpaces(tenantId: string, within: SpaceCondition): Promise<Set<string>>
  /** Tells whether somebody knows of a cluster: they look at all of them, or see a space that uses it. */
  knowsCluster(actor: Actor, clusterId: string): Promise<boolean>
  /** The given actions that have not ended. */
  actionsAtWork(tenantId: string, actionIds: readonly string[]): Promise<Set<string>>
  /** A catalog item with the source that adds versions to it; undefined when there is none. */
  itemOf(tenantId: string, itemId: string): Promise<{ displayName: string; sourceId: string | null } | undefined>
  /** Id of the account of this name that was the last to upload a package; undefined when none has. */
  publisherNamed(tenantId: string, name: string): Promise<string | undefined>
  /** Spaces that use any of these clusters, by their ids. */
  usersOf(tenantId: string, clusterIds: readonly string[]): Promise<Map<string, { namespace: string }>>
  /** The first apps of a space that have a release, in the order of their names. */
  appsIn(tenantId: string, spaceId: string, most: number): Promise<{ id: string; displayName: string }[]>
  /** Every app of every tenant that has a release. */
  deployedApps(): Promise<{ tenantId: string; id: string; clusterId: string }[]>
  /** A function that hides the secrets of an app in texts about its release. */
  redactor(tenantId: string, appId: string, release: Release): Promise<(text: string) => string>
  /** Unless the app is not in the state any more in which it was looked at. */
  setAppState(tenantId: string, app: AppPlace, state: AppState, message: string | null): Promise<boolean>
  /** Tells whether a realm has such a role, or one of its clients with which people sign in. */
  isRole(realm: string, id: string): Promise<boolean>
  /** The caller as the identity server knows them at this moment, for what they hand out. */
  grantorNow(actor: Actor): Promise<Grantor>
  /** Roles that everybody in a realm holds. */
  commonRoles(realm: string): Promise<ReadonlySet<string>>
  /** The person's current roles and groups, read after this call; undefined for a person who is gone or disabled. */
  personNow(tenantId: string, userId: string): Promise<Holder | undefined>
  /** Their scopes by the id of the space; without what they do not see. */
  scopesIn(person: Holder, spaceIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<Scope>>>
}
