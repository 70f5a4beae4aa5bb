import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { isForDeployers } from '@quayside/contract/deployments/scopes-of-actions'
import type { Actor } from '../../../../platform/auth/actor.ts'
import { type Access, mustHold } from '../../../../platform/auth/rights.ts'
import { storedJson } from '../../../../platform/db/stored-json.ts'
import { fail } from '../../../../platform/http/errors.ts'
import type { DeploymentDeps } from '../../deps.ts'
import { appBefore, endingLine, endingOf } from '../../engine/ending.ts'
import { claim, finish, releaseLease } from '../../engine/lease-store.ts'
import { isClearing } from '../../engine/steps/steps.ts'
import { findAction } from '../../store.ts'
import type { ActionRow } from '../../tables.ts'
import { publishChanges } from '../accept.ts'
import { markCancelled } from './cancel-store.ts'

/** Taking access back takes a moment, a takeover a while; whoever asked is answered then, and sees the end when it comes. */
const longestWaitMs = 10_000
const lookEveryMs = 150

/**
 * Ends an action for which no Helm was started. One that nobody has begun is claimed and ended here; of another one its
 * row says that it is cancelled, and whoever works on it, on whichever replica, takes back what was done.
 */
export async function cancel(deps: DeploymentDeps, actor: Actor, id: string, access: Access): Promise<ActionRow> {
  const waiting = await findAction(deps.db, actor.tenantId, id)
  if (!waiting) throw fail('deployment.action-not-found')
  mustMayEnd(waiting, access)
  if (isClearing(waiting.kind))
    throw fail('deployment.not-waiting', {
      message: 'A removal cannot be cancelled: it goes on until nothing is left.',
    })
  if (await endUnbegun(deps, actor, waiting)) return (await findAction(deps.db, actor.tenantId, id)) ?? waiting
  if (!(await markCancelled(deps.db, id, actor.username))) throw fail('deployment.not-waiting')
  const now = await endOf(deps, actor, id)
  // It had nothing left to do, and ended before it heard of this.
  if (!now || now.state === 'Success') throw fail('deployment.not-waiting')
  return now
}

/** The scopes that start an action end it, too. @throws when they are missing */
export function mustMayEnd({ kind, release_name: releaseName }: ActionRow, access: Access): void {
  if (!isForDeployers({ kind, releaseName })) mustHold(access, 'app.manage')
}

/** The action when it has ended, or as it is after a while. */
export async function endOf(deps: DeploymentDeps, { tenantId }: Actor, id: string): Promise<ActionRow | undefined> {
  const until = performance.now() + longestWaitMs
  for (;;) {
    const now = await findAction(deps.db, tenantId, id)
    if (!now || now.final_at !== null || performance.now() > until) return now
    await delay(lookEveryMs)
  }
}

/** The claim decides: whoever cancels takes it from the workers, or is too late for this. */
async function endUnbegun(deps: DeploymentDeps, { username }: Actor, action: ActionRow): Promise<boolean> {
  if (action.fence !== '0' || action.final_at !== null) return false
  const held = await claim(deps.db, action.id, randomUUID(), deps.config.leaseSeconds)
  if (!held) return false
  if (held.fence !== '1') {
    await releaseLease(deps.db, held)
    return false
  }
  const summary = `Cancelled by ${username} before it began`
  const { kind } = held
  const { result, events } = endingOf({ kind, state: 'Failed', summary, lines: [], ranHelm: false, timedOut: false })
  const isEnded = await finish(deps.db, held, {
    state: 'Failed',
    change: { result: storedJson(result), cancelled_by: username },
    events: [endingLine(kind, summary), ...events],
    async also(trx) {
      if (!held.app_id || kind === 'Prepare') return
      await deps.apps.patchRecord(held.tenant_id, held.app_id, appBefore(held), trx)
    },
  })
  // Else this stood still for longer than its claim lasts, and somebody has begun it.
  if (isEnded) publishChanges(deps, held)
  return isEnded
}
