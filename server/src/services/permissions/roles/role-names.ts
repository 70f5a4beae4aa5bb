import { roleOfId } from '@quayside/contract/permissions/roles'
import { spaceRoles } from '@quayside/contract/permissions/scopes'

export const deletedRole = 'a role that was deleted'

/** Words for a role of the tenant: 'catalog.publish (catalog-apps)'. */
function tenantRoleName(id: string): string | undefined {
  const ref = roleOfId(id)
  return ref && `${ref.role} (${ref.section})`
}

/**
 * Words for a role of spaces, whose name is `defined` where the tenant has defined it, null when there is none; or for
 * one of the tenant.
 */
export function roleName(id: string, defined: string | null | undefined): string {
  const ofTenant = tenantRoleName(id)
  if (ofTenant !== undefined) return ofTenant
  return defined ?? (Object.hasOwn(spaceRoles, id) ? spaceRoles[id as 'viewer'].name : deletedRole)
}
