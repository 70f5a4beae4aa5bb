import { type RoleRef, roleName } from './roles.ts'
import { type Scope, scopesEverywhere } from './scopes.ts'

/** Conditions to be allowed something: any of these scopes where it acts, or any of these roles of the tenant. */
export interface Needs {
  anyScope?: readonly Scope[] | undefined
  anyRole?: readonly RoleRef[] | undefined
}

/** Roles of the tenant as `client:role`, and the scopes of the place that is asked about. */
interface Held {
  roles: ReadonlySet<string>
  scopes: ReadonlySet<Scope>
}

/** The one rule by which the server lets a call in and the browser shows what leads to it. */
export function meets({ anyScope = [], anyRole = [] }: Needs, { roles, scopes }: Held): boolean {
  return anyRole.some((ref) => roles.has(roleName(ref))) || anyScope.some((scope) => scopes.has(scope))
}

/** Roles and scopes that a person holds, for all spaces. */
export interface Standing {
  roles: ReadonlySet<string>
  /** Scopes from the permission lists of single spaces, by the id of the space. */
  spaces: ReadonlyMap<string, readonly Scope[]>
}

/** The scopes in a space; without one those that are held in at least one space. */
export function scopesIn({ roles, spaces }: Standing, spaceId?: string): Set<Scope> {
  const held = scopesEverywhere(roles)
  const listed = spaceId === undefined ? [...spaces.values()].flat() : (spaces.get(spaceId) ?? [])
  for (const scope of listed) held.add(scope)
  return held
}

/** Tells whether somebody meets what something needs in a space; without one, in at least one space. */
export function can(needs: Needs, standing: Standing, spaceId?: string): boolean {
  return meets(needs, { roles: standing.roles, scopes: scopesIn(standing, spaceId) })
}
