import type { IamResult } from '@quayside/contract/deployments/endpoints'
import { failpoint } from '../../../../platform/config/failpoints.ts'
import { decryptInput } from '../../commands/command-input.ts'
import { rolesBrought, rolesMade } from '../../commands/version-roles.ts'
import type { AccessGroup, AccessTarget, AccessWaits, KeptAccess } from '../../ports.ts'
import { accessOfRevision, isSameAccess } from '../../releases/revision-access.ts'
import { findNewestDeploy } from '../../store.ts'
import { type ActionContext, Cancelled, LeaseLostError, pause, StepFailed } from '../action-context.ts'
import { write } from '../lease-store.ts'

/**
 * Groups, roles and redirect URIs before Helm runs; nothing is deployed that nobody may enter. An upgrade that names
 * groups and a rollback put theirs in the place of those that hold roles now.
 */
export async function grantStep(run: ActionContext): Promise<void> {
  const { deps, journal } = run
  if (run.action.iam_result?.type === 'Success') return
  const change = await changeOf(run)
  if (!change) return
  const { realm, groups, exactly } = change
  journal.say('iam', 'Setting up groups, roles and redirect URIs')
  const target = await targetOf(run, realm)
  const waits = waitsOf(run, run.waiting)
  const result = await guarded(() =>
    deps.access.grantAccess(target, groups, waits, { moment: failpoint, exactly, starterId: run.action.started_by_id }),
  ).catch((error: unknown) => {
    run.isGrantCut = true
    throw error
  })
  await failpoint('F12')
  await keep(run, result)
  if (result.type !== 'Success')
    throw new StepFailed(`IAM Failed: ${result.msg}`, [{ message: result.msg, isSummary: false, resultType: 'error' }])
}

/** The access to set up for this action; undefined when groups keep the roles they hold. */
async function changeOf(
  run: ActionContext,
): Promise<{ realm: string; groups: AccessGroup[]; exactly: boolean } | undefined> {
  const { input } = run
  if (input.kind === 'Deploy') return { realm: input.realm, groups: input.groups, exactly: false }
  if (input.kind === 'Upgrade') {
    if (input.groups) return { realm: input.realm, groups: input.groups, exactly: true }
    const chosen = await chosenAtInstall(run)
    if (chosen) return { realm: input.realm, groups: chosen, exactly: false }
    // Groups keep what they hold; the roles that the version brings are there to be given.
    return (await rolesMade(run)) && { realm: input.realm, groups: [], exactly: false }
  }
  if (input.kind !== 'Rollback') return undefined
  const [then, now] = await Promise.all([keptOf(run, input.revision), keptOf(run, 'newest')])
  if (then) return now && isSameAccess(then, now) ? undefined : { realm: input.realm, groups: then, exactly: true }
  const chosen = await chosenAtInstall(run)
  return chosen && { realm: input.realm, groups: chosen, exactly: false }
}

/** For an app that was never installed well: the groups that the failed installation should have let in. */
async function chosenAtInstall(run: ActionContext): Promise<AccessGroup[] | undefined> {
  if (await keptOf(run, 'newest')) return undefined
  const install = await installOf(run)
  const input = install && decryptInput(run.deps.encryption, install)
  return input?.kind === 'Deploy' ? input.groups : []
}

function installOf({ deps, action }: ActionContext) {
  return findNewestDeploy(deps.db, action.tenant_id, action.app_id ?? '')
}

/** Groups that the revision of this action lets in; they are kept with the revision. */
export async function accessMade(run: ActionContext): Promise<AccessGroup[] | undefined> {
  const { input } = run
  if (input.kind === 'Deploy') return input.groups
  if (input.kind === 'Upgrade') return input.groups ?? (await keptOf(run, 'newest')) ?? chosenAtInstall(run)
  if (input.kind === 'Rollback')
    return (await keptOf(run, input.revision)) ?? (await keptOf(run, 'newest')) ?? chosenAtInstall(run)
  return undefined
}

function keptOf({ deps, action }: ActionContext, revision: number | 'newest'): Promise<AccessGroup[] | undefined> {
  return accessOfRevision(deps.db, action.tenant_id, action.app_id ?? '', revision)
}

/** After a deletion; an app whose access could not be removed keeps its record, so that it can be deleted again. */
export async function revokeStep(run: ActionContext): Promise<void> {
  const { input, journal } = run
  if (input.kind !== 'Delete') return
  const kept = input.leftovers?.keepAccess
  if (!kept?.grants || !kept.redirectUris) journal.say('iam', 'Removing groups, roles and redirect URIs')
  const result = await revoke(run, input.realm, kept)
  await keep(run, result)
  if (result.type !== 'Success') throw new StepFailed(`IAM Failed: ${result.msg}`)
}

/**
 * Takes back the grants of a first installation that failed; after a failed upgrade, groups get their former roles
 * again. An action that is cancelled while its grant waits may have granted any part of it, and so may one that ends
 * after a takeover: both are taken back as well. False: something could not be taken back.
 */
export async function compensate(run: ActionContext, outcome: 'failed' | 'cancelled'): Promise<boolean> {
  const { input, journal, action } = run
  const mayHaveBegun = outcome === 'cancelled' || action.kind === 'Deploy'
  const isUnsure = run.isGrantCut || (mayHaveBegun && action.fence !== '1' && action.iam_result === null)
  if (action.iam_result?.type !== 'Success' && !(isUnsure && (await changeOf(run)))) return true
  if (input.kind !== 'Deploy' && input.kind !== 'Upgrade' && input.kind !== 'Rollback') return true
  // Roles alone, which nobody holds, are nobody's access.
  if (input.kind === 'Upgrade' && !input.groups && !(await chosenAtInstall(run))) return true
  // Before anything is taken back: whoever takes this over from here and tries again has to grant it anew.
  if (!(await write(run.deps.db, action, { iam_result: null }))) throw new LeaseLostError('the lease is lost')
  try {
    journal.say('iam', `Taking back the access of the ${outcome} deployment`)
    const result = await (input.kind === 'Deploy' ? revoke(run, input.realm) : giveBack(run, input.realm))
    if (result.type !== 'Success') journal.say('iam', result.msg, 'error')
    return result.type === 'Success'
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    journal.say('iam', error.message, 'error')
    return false
  }
}

async function giveBack(run: ActionContext, realm: string): Promise<IamResult> {
  const held = await keptOf(run, 'newest')
  if (!held && (await installOf(run))?.state === 'Failed') return revoke(run, realm)
  if (!held) return { type: 'UnknownError', msg: 'It is not known which groups held roles before' }
  const target = await targetOf(run, realm)
  return guarded(() => run.deps.access.grantAccess(target, held, waitsOf(run), { exactly: true }))
}

async function revoke(run: ActionContext, realm: string, keep?: KeptAccess): Promise<IamResult> {
  const target = await targetOf(run, realm)
  return guarded(() => run.deps.access.revokeAccess(target, waitsOf(run), keep))
}

async function targetOf(run: ActionContext, realm: string): Promise<AccessTarget> {
  const { deps, action } = run
  const app = action.app_id ? await deps.apps.record(action.tenant_id, action.app_id) : undefined
  if (!app) throw new StepFailed('The app was deleted in the meantime')
  return {
    tenantId: action.tenant_id,
    realm,
    appId: app.id,
    appName: app.displayName,
    releaseName: action.release_name ?? '',
    resourceRoles: [...app.resourceRoles.map((each) => each.name), ...(await rolesBrought(run, app))],
  }
}

async function keep(run: ActionContext, result: IamResult): Promise<void> {
  run.action.iam_result = result
  await write(run.deps.db, run.action, { iam_result: JSON.stringify(result) })
  run.journal.say('iam', result.msg, result.type === 'Success' ? 'info' : 'error')
  run.journal.add({ event: 'IAM', payload: { ...result } })
}

/** Answers with one of the five outcomes, however the identity server fails; a wait that was ended still throws. */
async function guarded(call: () => Promise<IamResult>): Promise<IamResult> {
  try {
    return await call()
  } catch (error) {
    if (error instanceof LeaseLostError || error instanceof Cancelled) throw error
    return { type: 'UnknownError', msg: error instanceof Error ? error.message : 'Unknown error' }
  }
}

/** Waits of a call. A call that takes access back goes on waiting in a cancelled action: the action ends with it. */
function waitsOf({ journal, signal }: ActionContext, ends = signal): AccessWaits {
  return {
    say: (message, level) => journal.say('iam', message, level),
    pause: (milliseconds) => pause(milliseconds, ends),
  }
}
