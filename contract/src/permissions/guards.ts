import { type GuardedCall, guardedCalls } from '../capabilities.ts'
import type { Policy } from '../http/policy.ts'
import type { RoleRef } from './roles.ts'
import { type Scope, scopes } from './scopes.ts'
import { absentScreens, type Control, controls, type Screen, screens } from './screens.ts'

/**
 * Calls, pages and controls that a role or scope opens. They stay closed to a person who has neither it nor another way
 * in.
 */
export interface Guarded {
  calls: readonly GuardedCall[]
  screens: readonly Screen[]
  /** Entries of the navigation whose pages this version does not have. */
  absentScreens: readonly Screen[]
  controls: readonly Control[]
}

function rolesIn(policy: Policy): readonly RoleRef[] {
  if (policy.kind === 'role') return policy.anyOf
  if (policy.kind === 'public' || policy.kind === 'signed-in') return []
  return [...(policy.orRole ?? []), ...(policy.kind === 'scope' ? (policy.sometimesRoles ?? []) : [])]
}

function scopesIn(policy: Policy): readonly Scope[] {
  if (policy.kind === 'filtered') return [policy.scope]
  if (policy.kind === 'somewhere') return policy.anyOf
  return policy.kind === 'scope' ? [...policy.anyOf, ...(policy.sometimesScopes ?? [])] : []
}

const isSame = (one: RoleRef) => (other: RoleRef) => one.section === other.section && one.role === other.role

/**
 * Calls, pages and controls that a role of the tenant opens itself; those that it opens by its scopes are listed under
 * the scopes.
 */
export function guardedByRole(role: RoleRef): Guarded {
  const asks = ({ expectedRoles = [] }: Screen) => expectedRoles.some(isSame(role))
  return {
    calls: guardedCalls.filter(({ policy }) => rolesIn(policy).some(isSame(role))),
    screens: screens.filter(asks),
    absentScreens: absentScreens.filter(asks),
    controls: allControls.filter(({ anyRole = [] }) => anyRole.some(isSame(role))),
  }
}

export function guardedByScope(scope: Scope): Guarded {
  const asks = ({ requiredScopes = [] }: Screen) => requiredScopes.includes(scope)
  return {
    calls: guardedCalls.filter(({ policy }) => scopesIn(policy).includes(scope)),
    screens: screens.filter(asks),
    absentScreens: absentScreens.filter(asks),
    controls: allControls.filter(({ anyScope = [] }) => anyScope.includes(scope)),
  }
}

const allControls: readonly Control[] = Object.values(controls)

/** Scopes that no call and no control asks for would be words alone. */
export const scopesWithoutUse: readonly Scope[] = scopes.filter((scope) => {
  const { calls, controls: buttons } = guardedByScope(scope)
  return calls.length === 0 && buttons.length === 0
})
