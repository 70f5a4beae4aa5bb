import type { ActionKind } from '@quayside/contract/deployments/endpoints'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { DeploymentDeps } from '../deps.ts'

/** Kinds that change what runs in a space; its own departure and that of its clusters are asked for on purpose. */
const stopsInFreeze: ReadonlySet<ActionKind> = new Set(['Deploy', 'Upgrade', 'Rollback', 'Delete', 'ChangeWorkload'])

/** Refuses an action of somebody who is not exempt from the freeze of its space. */
export async function mustNotBeFrozen(
  { spaces }: Pick<DeploymentDeps, 'spaces'>,
  who: Pick<Actor, 'tenantId' | 'userId'>,
  { kind, spaceId }: { kind: ActionKind; spaceId: string | null | undefined },
): Promise<void> {
  if (spaceId && stopsInFreeze.has(kind)) await spaces.mustNotBeFrozen(who, spaceId)
}
