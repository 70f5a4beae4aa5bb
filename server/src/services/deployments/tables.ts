import type { AppState } from '@quayside/contract/apps/endpoints'
import type { ActionKind, ActionState, DeployResult, IamResult } from '@quayside/contract/deployments/endpoints'
import type { LeftBehind } from '@quayside/contract/deployments/left-behind'
import type { Waiting } from '@quayside/contract/live/live'
import type { ColumnType, Generated, Selectable } from 'kysely'
import type { AccessGroup, ObjectName } from './ports.ts'

type Json<T> = ColumnType<T | null, string | null | undefined, string | null>

export interface PresetTable {
  id: string
  tenant_id: string
  catalog_item_id: string
  /** Null: shared with the tenant. */
  space_id: string | null
  name: string
  yaml: string
  created_by: string
  updated_at: Generated<Date>
}

interface RevisionAccessTable {
  tenant_id: string
  app_id: string
  revision: number
  groups: ColumnType<AccessGroup[], string, string>
}

export interface ActionTable {
  id: string
  tenant_id: string
  kind: ActionKind
  state: ActionState
  app_id: string | null
  app_name: string
  release_key: string | null
  release_name: string | null
  namespace: string | null
  cluster_id: string | null
  cluster_name: string | null
  space_id: string | null
  space_name: string | null
  catalog_item_id: string | null
  version_id: string | null
  version: string | null
  revision: number | null
  started_by: string
  started_by_id: string
  socket_id: string | null
  idem_key: string | null
  digest: string
  /** The command, sealed: values can hold passwords. */
  input: string
  /** Raised by each claim; whoever holds an older one can write no more. */
  fence: Generated<string>
  lease_owner: string | null
  lease_until: Date | null
  attempt: Generated<number>
  /** Tells whether its Helm runs: so many may at once, all replicas together. */
  helm_place: Generated<boolean>
  base_revision: number | null
  /** Only for a deletion: the objects of the release, which nobody can read once it is gone. */
  release_objects: Json<ObjectName[]>
  unreachable_since: Date | null
  iam_result: Json<IamResult>
  /** How the app was when the action was accepted: one that is cancelled has changed nothing. */
  app_before: Json<{ state: AppState; stateMessage: string | null; releaseName: string | null }>
  /** The person who cancelled it before a Helm was started for it; cancelling is impossible from then on. */
  cancelled_by: string | null
  /** The person who has ended its Helm, from when one was started for it. */
  aborted_by: string | null
  /** Why it went beyond the budget of its space. */
  cost_reason: string | null
  /** Remains on the cluster of an action whose Helm was ended. */
  left_behind: Json<LeftBehind>
  result: Json<DeployResult>
  /** Sealed too: values of a deployed app are in it. */
  prepared: string | null
  waiting: Json<Pick<Waiting, 'ready' | 'total' | 'objects'>>
  last_seq: Generated<number>
  accepted_at: Generated<Date>
  final_at: Date | null
}
export type ActionRow = Selectable<ActionTable>

interface ActionEventTable {
  tenant_id: string
  action_id: string
  seq: number
  at: Generated<Date>
  event: EventName
  payload: ColumnType<Record<string, unknown>, string, never>
}
export type EventRow = Selectable<ActionEventTable>
export type EventName =
  | 'message'
  | 'IAM'
  | 'Prepare'
  | 'Deploy'
  | 'Upgrade'
  | 'Rollback'
  | 'Delete'
  | 'helmresult'
  | 'hookresult'

interface ActionAuditTable {
  id: Generated<number>
  tenant_id: string
  at: Generated<Date>
  action_id: string
  moment: 'accept' | 'final'
  kind: ActionKind
  app_id: string | null
  app_name: string
  who: string
  outcome: string
}

export interface Tables {
  values_preset: PresetTable
  revision_access: RevisionAccessTable
  action: ActionTable
  action_event: ActionEventTable
  action_audit: ActionAuditTable
}
