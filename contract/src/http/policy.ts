import type { RoleOf, RoleRef, Section } from '../permissions/roles.ts'
import type { Scope } from '../permissions/scopes.ts'
import type { PlaceKind } from './place.ts'

/** Where in a call the id of a place stands: `params.id`, `body.app.id`, `body.places[].spaceId`. */
export type IdIn = `params.${string}` | `body.${string}` | `query.${string}`

/**
 * Condition for making a call.
 *
 * - `role`: holders of any of these roles of the tenant.
 * - `scope`: holders of any of the scopes in the space of the thing that the call names. A caller who cannot see the
 *   thing is answered as if it did not exist; one who sees it and holds none of the scopes is refused. `orRole` opens
 *   it without a scope. `sometimesScopes` and `sometimesRoles` name scopes and roles that the call needs as well, depending on the thing
 *   it finds and on the body. For a call that may leave the id out, `orElse` says what it needs then.
 * - `filtered`: everybody who is signed in; the answer holds only things in spaces where the caller holds the scope.
 * - `somewhere`: holders of any of the scopes in at least one space, or of any of the roles.
 */
export type Policy =
  | { kind: 'public' }
  | { kind: 'signed-in' }
  | { kind: 'role'; anyOf: readonly RoleRef[] }
  | {
      kind: 'scope'
      place: PlaceKind
      id: IdIn
      anyOf: readonly Scope[]
      sometimesScopes?: readonly Scope[]
      sometimesRoles?: readonly RoleRef[]
      orRole?: readonly RoleRef[]
      orElse?: 'somewhere' | 'everywhere'
    }
  | { kind: 'filtered'; scope: Scope; orRole?: readonly RoleRef[] }
  | { kind: 'somewhere'; anyOf: readonly Scope[]; orRole: readonly RoleRef[] }

export const anyone: Policy = { kind: 'public' }
export const signedIn: Policy = { kind: 'signed-in' }

/** Any of these roles, each as `role('clusters', 'clusters.view')` names it. */
export function holding(...anyOf: readonly RoleRef[]): Policy {
  return { kind: 'role', anyOf }
}

export function role<S extends Section>(section: S, name: RoleOf<S>): RoleRef {
  return { section, role: name } as RoleRef
}

type ScopePolicy = Extract<Policy, { kind: 'scope' }>

/** `inPlace('app', 'params.id', 'app.manage')`: the scope in the space of the app that the path names. */
export function inPlace(
  place: PlaceKind,
  id: IdIn,
  scope: Scope | readonly Scope[],
  more: Pick<ScopePolicy, 'sometimesScopes' | 'sometimesRoles' | 'orRole' | 'orElse'> = {},
): Policy {
  return { kind: 'scope', place, id, anyOf: typeof scope === 'string' ? [scope] : scope, ...more }
}

export function filtered(scope: Scope, ...orRole: readonly RoleRef[]): Policy {
  return { kind: 'filtered', scope, ...(orRole.length > 0 ? { orRole } : {}) }
}

export function somewhere(anyOf: readonly Scope[], ...orRole: readonly RoleRef[]): Policy {
  return { kind: 'somewhere', anyOf, orRole }
}

/** A policy for each key of a contract table: a missing key does not compile. */
export type Policies<E> = { readonly [K in keyof E]: Policy }
