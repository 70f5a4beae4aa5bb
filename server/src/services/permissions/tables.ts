import type { ColumnType, Generated, Selectable } from 'kysely'

interface SpaceRoleTable {
  id: string
  tenant_id: string
  name: string
  description: string
  scopes: string[]
  created_at: Generated<Date>
}
export type SpaceRoleRow = Selectable<SpaceRoleTable>

export interface PermissionTable {
  id: string
  tenant_id: string
  space_id: string
  /** `user:{id}`, `group:{id}`, `role:{name}` */
  principal: string
  /** The principal's name when it was granted: shown when the identity server is away. */
  principal_name: string
  principal_detail: string | null
  /** The name of a built-in role or the id of one of the tenant's. */
  role: string
  owner: boolean
  expires_at: ColumnType<Date | null, Date | string | null, Date | string | null>
  granted_by: string
  granted_by_id: string | null
  granted_at: Generated<Date>
}
export type PermissionRow = Selectable<PermissionTable>

export interface PermissionEventTable {
  id: Generated<string>
  tenant_id: string
  /** Empty: about a role of the tenant. */
  space_id: string
  at: Generated<Date>
  by_name: string | null
  by_id: string | null
  what: string
  principal: string
  principal_name: string
  /** The name of the role as it was then. */
  role: string
  owner: boolean
  expires_at: ColumnType<Date | null, Date | string | null, never>
  note: string | null
}
export type PermissionEventRow = Selectable<PermissionEventTable>

export interface AccessRequestTable {
  id: string
  tenant_id: string
  /** Null: for a role of the tenant, which `role` names as `section:role`. */
  space_id: string | null
  person_id: string
  person_name: string
  role: string
  reason: string
  hours: number | null
  state: string
  answered_by: string | null
  answered_by_id: string | null
  note: string | null
  created_at: Generated<Date>
  answered_at: ColumnType<Date | null, never, Date | string | null>
}
export type AccessRequestRow = Selectable<AccessRequestTable>

/** Roles of the tenant that were given on request. A row is there before the identity server is told, and after it. */
interface RoleGrantTable {
  id: string
  tenant_id: string
  person_id: string
  person_name: string
  /** `section:role` */
  role: string
  /** False until the grant is final: one that was left so is taken back. */
  is_final: boolean
  expires_at: ColumnType<Date | null, Date | null, Date | null>
  granted_by: string
  granted_by_id: string
  granted_at: Generated<Date>
}
export type RoleGrantRow = Selectable<RoleGrantTable>

/** Spaces are kept by another service; lists hang on them. */
interface SpaceTable {
  id: string
  tenant_id: string
  display_name: string
}

export interface Tables {
  space_role: SpaceRoleTable
  space_permission: PermissionTable
  permission_event: PermissionEventTable
  access_request: AccessRequestTable
  role_grant: RoleGrantTable
  spaces: SpaceTable
}
