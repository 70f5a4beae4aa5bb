import { ownerScopes, type Scope, scopes, spaceRoles } from '@quayside/contract/permissions/scopes'

/** An entry of a space's list: the role, its scopes if the tenant has defined it, and ownership. */
export interface Grant {
  role: string
  /** Null for built-in roles. */
  scopes: readonly string[] | null
  owner: boolean
}

/** The scopes that an entry gives. A role that is not known gives none. */
export function scopesOfGrant({ role, scopes: defined, owner }: Grant): Scope[] {
  const ofRole: readonly string[] =
    defined ?? (Object.hasOwn(spaceRoles, role) ? spaceRoles[role as 'viewer'].scopes : [])
  return scopes.filter((scope) => ofRole.includes(scope) || (owner && ownerScopes.includes(scope)))
}

export function scopesOfGrants(grants: Iterable<Grant>): Set<Scope> {
  const held = new Set<Scope>()
  for (const grant of grants) for (const scope of scopesOfGrant(grant)) held.add(scope)
  return held
}

/** Built-in roles that hold a scope. */
export function builtInWith(scope: Scope): string[] {
  return Object.entries(spaceRoles).flatMap(([name, role]) =>
    (role.scopes as readonly Scope[]).includes(scope) ? [name] : [],
  )
}
