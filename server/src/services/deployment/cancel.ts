import { randomUUID } from 'node:crypto'
import type { Actor } from '../../kernel/actor.ts'
import { fail } from '../../kernel/errors.ts'
import { mustHold } from '../../kernel/policy.ts'
import { tellOthers } from './accept.ts'
import type { DeploymentDeps } from './deps.ts'
import { endingOf } from './ending.ts'
import { claim, finish, letGo } from './lease-store.ts'
import { findAction } from './store.ts'
import type { ActionRow } from './tables.ts'

/** Ends an action that nobody has begun. The claim decides: whoever cancels takes it from the workers, or is too late. */
export async function cancel(deps: DeploymentDeps, actor: Actor, id: string): Promise<ActionRow> {
  const waiting = await findAction(deps.db, actor.tenantId, id)
  if (!waiting) throw fail('deployment.action-not-found')
  if (waiting.kind !== 'Deploy') mustHold(actor, 'catalog-apps', 'catalog.deployments.manage')
  const held =
    waiting.fence === '0' && waiting.final_at === null
      ? await claim(deps.db, id, randomUUID(), deps.config.leaseSeconds)
      : undefined
  if (!held) throw fail('deployment.not-waiting')
  if (held.fence !== '1') {
    await letGo(deps.db, held)
    throw fail('deployment.not-waiting')
  }
  const summary = `Cancelled by ${actor.username} before it began`
  const { kind } = held
  const { result, events } = endingOf({ kind, state: 'Failed', summary, lines: [], ranHelm: false, timedOut: false })
  const isCancelled = await finish(deps.db, held, {
    state: 'Failed',
    change: { result: JSON.stringify(result) },
    events,
    async also(trx) {
      if (!held.app_id || kind === 'Prepare') return
      await deps.apps.patchRecord(held.tenant_id, held.app_id, held.app_before ?? lookedUp(kind), trx)
    },
  })
  // This stood still for longer than its claim lasts, and somebody has begun it.
  if (!isCancelled) throw fail('deployment.not-waiting')
  tellOthers(deps, held)
  return (await findAction(deps.db, actor.tenantId, id)) ?? held
}

/** Of an action that an older version has accepted: the next look at the cluster says how its app is. */
function lookedUp(kind: ActionRow['kind']) {
  return { state: kind === 'Deploy' ? 'assigned' : 'unknown', stateMessage: null } as const
}
