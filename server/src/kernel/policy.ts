import type { Policy } from '@quayside/contract/policy'
import type { RoleRef } from '@quayside/contract/roles'
import { type Actor, holds } from './actor.ts'

export function holdsAny(actor: Actor, anyOf: readonly RoleRef[]): boolean {
  return anyOf.some(({ section, role }) => holds(actor, section, role))
}

/** Whether a policy is decided without looking at what the call is about. */
export function isSettledByToken(policy: Policy): boolean {
  return policy.kind === 'public' || policy.kind === 'signed-in' || policy.kind === 'role'
}
