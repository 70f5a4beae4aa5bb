import type { AccessToken } from './access-token.ts'

/** A route's or an entry's demand: any listed realm role, or any listed resource role under the client. */
export interface RoleRequirement {
  realmRoles?: readonly string[]
  resourceRoles?: readonly string[]
  clientId?: string
}

const has = (held: readonly { name: string }[] | undefined, wanted: readonly string[] | undefined) =>
  (held ?? []).some(({ name }) => wanted?.includes(name) === true)

/** The role check of section 6; `uiClientId` is asked when the requirement names no client. */
export function meetsRoles(token: AccessToken, required: RoleRequirement | undefined, uiClientId: string): boolean {
  if (required?.realmRoles === undefined && required?.resourceRoles === undefined) return true
  if (has(token.realmAccess, required.realmRoles)) return true
  return has(token.resourceAccess[required.clientId ?? uiClientId], required.resourceRoles)
}
