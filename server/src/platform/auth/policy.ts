import type { Policy } from '@quayside/contract/http/policy'
import { meets } from '@quayside/contract/permissions/can'
import type { RoleRef } from '@quayside/contract/permissions/roles'
import type { Actor } from './actor.ts'

export function holdsAny({ resourceRoles }: Pick<Actor, 'resourceRoles'>, anyRole: readonly RoleRef[]): boolean {
  return meets({ anyRole }, { roles: resourceRoles, scopes: new Set() })
}

/** Tells whether a policy is decided without looking at what the call is about. */
export function isSettledByToken(policy: Policy): boolean {
  return policy.kind === 'public' || policy.kind === 'signed-in' || policy.kind === 'role'
}
