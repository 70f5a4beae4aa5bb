import { spaceRoles } from '@quayside/contract/permissions/scopes'

export const deletedRole = 'a role that was deleted'

/** The name of a role of spaces: `defined` is that of one which the tenant has defined, null when there is none. */
export function roleName(id: string, defined: string | null | undefined): string {
  return defined ?? (Object.hasOwn(spaceRoles, id) ? spaceRoles[id as 'viewer'].name : deletedRole)
}
