import type { ActionKind } from '@quayside/contract/deployments/endpoints'
import { scopesOf } from '@quayside/contract/deployments/scopes-of-actions'
import { Failure } from '../../../platform/http/errors.ts'
import { type ActionContext, NoLongerAllowed, pause } from '../engine/action-context.ts'
import { retrySeconds, waitMs } from '../engine/retry-policy.ts'
import { mustNotBeFrozen } from './frozen.ts'

/** Time that an answer counts, from when the command was accepted or last checked here. */
const trustedMs = 4000

/** Actions that bring something to a cluster. */
const brings: ReadonlySet<ActionKind> = new Set(['Deploy', 'Upgrade', 'Rollback'])

/**
 * An action that has waited begins only if whoever has started it still may: they can have left, or lost their role,
 * and the space can have been frozen, since it was accepted. Once Helm was started for it, it goes on to its end, since half a deployment helps nobody.
 */
export function createAllowance(context: Asking): () => Promise<void> {
  const { action, ledger, deps } = context
  const anyOf = scopesOf({ kind: action.kind, releaseName: action.release_name })
  let allowedAt = action.accepted_at.getTime()
  return async () => {
    const age = Date.now() - allowedAt
    if (ledger.now().attempt > 0 || !anyOf || (age >= 0 && age < trustedMs)) return
    const starter = { tenantId: action.tenant_id, userId: action.started_by_id, spaceId: action.space_id ?? '' }
    if (!(await answered(context, () => deps.mayStill(starter, anyOf)))) {
      const where = action.space_name ?? 'this space'
      throw new NoLongerAllowed(
        `${action.started_by} may not do this in ${where} any more (${anyOf.join(' or ')} is missing)`,
      )
    }
    await mustNotBeFrozen(deps, starter, { kind: action.kind, spaceId: action.space_id }).catch(asNoLongerAllowed)
    if (brings.has(action.kind) && !(await usesCluster(context)))
      throw new NoLongerAllowed(
        `${action.space_name ?? 'The space'} does not use ${action.cluster_name ?? 'the cluster'} any more`,
      )
    allowedAt = Date.now()
  }
}

type Asking = Pick<ActionContext, 'action' | 'ledger' | 'deps' | 'journal' | 'waiting'>

function asNoLongerAllowed(error: unknown): never {
  throw error instanceof Failure && error.code === 'space.frozen' ? new NoLongerAllowed(error.message) : error
}

/** Nothing more is brought to a cluster that was taken from the space; what is there can be deleted. */
async function usesCluster({ action, deps }: Asking): Promise<boolean> {
  const space = await deps.spaces.record(action.tenant_id, action.space_id ?? '')
  return space?.clusterIds.includes(action.cluster_id ?? '') ?? false
}

/** An identity server that is away for a moment is waited for; one that stays away lets nothing begin. */
async function answered(context: Asking, ask: () => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + retrySeconds * 1000
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'iam.unreachable')) throw error
      const wait = waitMs(tries)
      if (performance.now() + wait > until)
        throw new NoLongerAllowed(
          `Nobody could say whether ${context.action.started_by} may still do this: ${error.message}`,
        )
      if (tries === 0) context.journal.say('iam', 'The identity server does not answer, waiting for it', 'error')
      await pause(wait, context.waiting)
    }
  }
}
