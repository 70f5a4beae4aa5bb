import { role } from '@quayside/contract/http/policy'
import type { Scope } from '@quayside/contract/permissions/scopes'
import type { Actor } from '../../platform/auth/actor.ts'
import { holdsAny } from '../../platform/auth/policy.ts'
import type { Access, SpaceCondition } from '../../platform/auth/rights.ts'

/**
 * Spaces that somebody is told of who looks at a cluster: those where they hold the scope. Undefined: all of them, for
 * cluster editors, who decide about what each may do there.
 */
export function spacesShownOnCluster(actor: Actor, access: Access, scope: Scope): SpaceCondition | undefined {
  return holdsAny(actor, [role('clusters', 'clusters.edit')]) ? undefined : access.spacesWith(scope)
}
