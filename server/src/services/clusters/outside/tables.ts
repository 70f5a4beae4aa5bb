import type { AskedRight } from '@quayside/contract/clusters/asked-right'
import type { NetworkReach } from '@quayside/contract/clusters/network-reach'
import type { OutsideObject, PodSecurity, SpaceNetwork } from '@quayside/contract/clusters/rules'
import type { ColumnType, Generated } from 'kysely'
import type { AskedApproval } from './judging/decide-outside.ts'
import type { GrantedObject } from './rights/action-rules.ts'
import type { RestsOn } from './rights/rests-on.ts'

export interface RuleRow {
  id: string
  tenant_id: string
  cluster_id: string
  api_group: string
  kind: string
  name: string | null
  item_id: string | null
  item_name: string | null
  /** The source that the item had when the entry was made: what another one adds to it later is not meant. */
  item_source_id: string | null
  publisher: string | null
  /** Null with a publisher: the entry is of a version in which packages named their publisher themselves. */
  publisher_id: string | null
  note: string
  created_by: string
  created_at: Date
}

/** An object that was asked for, with its key and the digest that tells whether a release still needs the same. */
type AskedOutside = OutsideObject & {
  key: string
  digest: string
  /** Sentences that name what is in the namespaces of others; rows of former versions have none. */
  elsewhere?: string[]
}

export interface ApprovalRow {
  id: string
  tenant_id: string
  cluster_id: string
  space_id: string
  app_id: string
  item_id: string
  item_name: string
  version_id: string
  version: string
  objects: AskedOutside[]
  elevates: boolean
  fingerprint: string
  reason: string
  state: AskedApproval['state']
  asked_by: string
  asked_by_id: string
  asked_at: Date
  answered_by: string | null
  answered_at: Date | null
  note: string | null
  expires_at: Date | null
  /** The right that deploying asks for; null: the usual one. */
  asks_for: AskedRight | null
}

export interface IsolationRow {
  tenant_id: string
  cluster_id: string
  space_id: string
  pod_security: PodSecurity
  network: SpaceNetwork
  reaches: NetworkReach
  /** Tells whether the cluster had these settings at the last look; null: it has not been looked at. */
  applied: boolean | null
  message: string | null
}

/** An object outside of a space that a release holds, or may. */
export interface HeldRow {
  tenant_id: string
  cluster_id: string
  space_id: string
  /** Empty with the name of the release: somebody else made it, and it gives accounts of the space rights. */
  app_id: string
  namespace: string
  release_name: string
  api_version: string
  api_group: string
  kind: string
  /** Empty: it belongs to the whole cluster. */
  object_namespace: string
  name: string
  elevates: boolean
  /** The rights that approvals have named since it is there, all of them; null: the usual one where it elevates. */
  asks_for: AskedRight[] | null
  digest: string
  /** Somebody has deleted it on the cluster. */
  is_gone: boolean
  since: Date
}

/** Rights that an action holds on a cluster at this moment. */
export interface ActionRightsRow {
  action_id: string
  tenant_id: string
  cluster_id: string
  space_id: string
  namespace: string
  objects: GrantedObject[]
  /** Name of the Secret of the revision that it rolls back to, which nobody else changes meanwhile; null: it locks none. */
  locked_secret: string | null
  /** Null for a deletion, and for rows of former versions: nothing that ends takes these rights away. */
  rests_on: RestsOn | null
  /** Why they were taken back before the action has ended; null: they were not. */
  withdrawn: string | null
  granted_at: Date
}

type Made<T, K extends keyof T> = Omit<T, K> & { [P in K]: Generated<T[P]> }

export interface OutsideTables {
  cluster_rules: Made<RuleRow, 'created_at'>
  cluster_approvals: Omit<Made<ApprovalRow, 'asked_at' | 'asks_for'>, 'objects'> & {
    objects: AskedOutside[] | string
  }
  space_isolation: Omit<IsolationRow, 'reaches'> & { reaches: Generated<NetworkReach | string> }
  held_outside: Omit<Made<HeldRow, 'since' | 'is_gone'>, 'asks_for'> & {
    asks_for: ColumnType<AskedRight[] | null, string | null | undefined>
  }
  action_rights: Omit<Made<ActionRightsRow, 'granted_at' | 'withdrawn' | 'locked_secret'>, 'objects' | 'rests_on'> & {
    objects: GrantedObject[] | string
    rests_on: RestsOn | string | null
  }
  clusters: { id: string; display_name: string; cluster_scoped: boolean; ingress_namespaces: string[] }
  apps: { id: string; display_name: string; cluster_id: string; space_id: string; release_name: string | null }
  spaces: { id: string; display_name: string; name: string }
  space_clusters: { space_id: string; cluster_id: string; tenant_id: string }
}
