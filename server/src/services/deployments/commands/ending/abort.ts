import type { Actor } from '../../../../platform/auth/actor.ts'
import type { Access } from '../../../../platform/auth/rights.ts'
import { Failure, fail } from '../../../../platform/http/errors.ts'
import type { DeploymentDeps } from '../../deps.ts'
import { findAction } from '../../store.ts'
import type { ActionRow } from '../../tables.ts'
import { cancel, endOf, mustMayEnd } from './cancel.ts'
import { markAborted, mayBeCancelled } from './cancel-store.ts'

/**
 * Ends an action whenever it is asked: one without a Helm is cancelled, which leaves nothing; the Helm of another one is
 * ended by whoever works on it, on whichever replica, which then reads back and tells what is left.
 */
export async function abort(deps: DeploymentDeps, actor: Actor, id: string, access: Access): Promise<ActionRow> {
  const action = await findAction(deps.db, actor.tenantId, id)
  if (!action) throw fail('deployment.action-not-found')
  mustMayEnd(action, access)
  if (mayBeCancelled(action)) {
    const cancelled = await cancel(deps, actor, id, access).catch((error: unknown) => {
      // Its Helm was started in this moment.
      if (!(error instanceof Failure && error.code === 'deployment.not-waiting')) throw error
    })
    if (cancelled) return cancelled
  }
  if (!(await markAborted(deps.db, id, actor.username))) throw fail('deployment.not-abortable')
  return (await endOf(deps, actor, id)) ?? action
}
