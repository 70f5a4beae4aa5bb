import type { ActionKind } from '@quayside/contract/deployments/endpoints'
import { actionScopes, scopesOf } from '@quayside/contract/deployments/scopes-of-actions'
import type { Actor } from '../../../platform/auth/actor.ts'
import { type Access, mustHoldAny } from '../../../platform/auth/rights.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { DeploymentDeps } from '../deps.ts'
import { findAction, findNewestOfApp } from '../store.ts'
import type { ActionRow } from '../tables.ts'
import { refuseOutsideForm } from '../values/restricted-values.ts'
import { readSubmitted } from '../values/values.ts'
import { accept, type Command } from './accept.ts'
import { decryptInput } from './command-input.ts'
import { mustLeaveAccess } from './leave-access.ts'
import { about, findApp, findVersion, markApp, mustUseCluster } from './lookup.ts'

const retryable: ReadonlySet<ActionKind> = new Set(['Deploy', 'Upgrade', 'Rollback', 'Delete'])

/** The action to do again; refused unless that is safe: it failed, and nothing was done with its app since. */
export async function mustBeRetryable(
  deps: DeploymentDeps,
  actor: Actor,
  id: string,
  access: Access,
): Promise<ActionRow> {
  const failed = await findAction(deps.db, actor.tenantId, id)
  if (!failed) throw fail('deployment.action-not-found')
  mustHoldAny(access, scopesOf({ kind: failed.kind, releaseName: failed.release_name }) ?? actionScopes.Repair)
  const refuse = (message: string) => fail('deployment.not-retryable', { message })
  if (failed.state !== 'Failed') throw refuse(failed.final_at === null ? 'It still runs.' : 'It has succeeded.')
  if (!retryable.has(failed.kind) || failed.app_id === null) throw refuse(`${failed.kind} is not done again from here.`)
  const newest = await findNewestOfApp(deps.db, actor.tenantId, failed.app_id)
  if (newest && newest.id !== failed.id)
    throw refuse(`${newest.kind} of ${newest.app_name} came after it: start from the app instead.`)
  return failed
}

/** Does a failed action again with the very input that it had; values and secrets need not be entered anew. */
export function retry(deps: DeploymentDeps, command: Command, failed: ActionRow): Promise<ActionRow> {
  const { tenantId } = command.actor
  return accept(deps, command, async () => {
    const app = await findApp(deps, tenantId, failed.app_id ?? '')
    // Another deletion than the one that failed: it would take a release along.
    if (failed.kind === 'Delete' && failed.release_name === null && app.releaseName !== null)
      throw fail('deployment.not-retryable', {
        message: `${app.displayName} was deployed since: start from the app instead.`,
      })
    if (failed.kind !== 'Delete') await mustUseCluster(deps, tenantId, app)
    const input = decryptInput(deps.encryption, failed)
    if (input.kind === 'Deploy' || input.kind === 'Upgrade' || input.kind === 'Rollback')
      await mustLeaveAccess(deps, command.actor, app.id, input)
    if (input.kind === 'Deploy' || input.kind === 'Upgrade') {
      const chosen = await findVersion(deps, tenantId, failed.version_id ?? '')
      // Somebody else may have written by hand what this person could not have sent.
      const { values } = await readSubmitted(input.yaml, 'deployData.yaml', chosen)
      await refuseOutsideForm(command.actor, chosen, values, 'deployData.yaml', { deps, app })
    }
    const version = { id: failed.version_id ?? app.catalogVersionId, version: failed.version ?? app.version }
    const state = failed.kind === 'Delete' ? 'deleting' : 'deploying'
    return {
      input,
      about: { ...about(app, failed.release_name, version), cost_reason: failed.cost_reason },
      async also(trx) {
        await markApp(deps, trx, { tenantId, id: app.id }, { state, stateMessage: null })
      },
    }
  })
}
