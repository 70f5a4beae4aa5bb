import { placeRules } from '@quayside/contract/capabilities'
import type { Policy } from '@quayside/contract/http/policy'
import { type RoleRef, roleName } from '@quayside/contract/permissions/roles'
import type { Scope } from '@quayside/contract/permissions/scopes'
import type { Try } from './tries.ts'

/** Rights of a person: roles of the tenant as `client:role`, and scopes in the space that is tried, and in any. */
export interface Holds {
  roles: ReadonlySet<string>
  here: ReadonlySet<Scope>
  anywhere: ReadonlySet<Scope>
}

/** How a call ends at the door: let in, refused for what is missing, or told that the thing is not there. */
export type Ending = 'in' | { status: 403 } | { status: 404; code: string }

const refused = { status: 403 } as const

/** The answer of the policy table to somebody, without any of the server's own code. */
export function expectedFor(policy: Policy, one: Try, held: Holds): Ending {
  const first = byPolicy(policy, one, held)
  if (first !== 'in') return first
  const second = one.asks ? byPolicy(one.asks, one, held) : first
  if (second !== 'in') return second
  if (one.own) return { status: 404, code: one.own }
  return one.unseen && !held.here.has('app.view') ? { status: 404, code: one.unseen } : 'in'
}

function byPolicy(policy: Policy, { finds }: Try, { roles, here, anywhere }: Holds): Ending {
  const holdsRole = (anyOf: readonly RoleRef[] = []) => anyOf.some((ref) => roles.has(roleName(ref)))
  const isIn = (isAllowed: boolean): Ending => (isAllowed ? 'in' : refused)
  switch (policy.kind) {
    case 'public':
    case 'signed-in':
    case 'filtered':
      return 'in'
    case 'role':
      return isIn(holdsRole(policy.anyOf))
    case 'somewhere':
      return isIn(holdsRole(policy.orRole) || policy.anyOf.some((scope) => anywhere.has(scope)))
    case 'scope':
      if (holdsRole(policy.orRole)) return 'in'
      if (!here.has(placeRules[policy.place].visibleBy)) return { status: 404, code: placeRules[policy.place].unknown }
      if (!policy.anyOf.some((scope) => here.has(scope))) return refused
      return isIn(finds === undefined || here.has(finds))
  }
}
