import type { IamResult } from '@quayside/contract/deployments/endpoints'
import { failpoint } from '../../../../platform/config/failpoints.ts'
import { decryptInput } from '../../commands/command-input.ts'
import { rolesBrought, rolesMade } from '../../commands/version-roles.ts'
import type { AccessGroup, AccessTarget, AccessWaits, KeptAccess } from '../../ports.ts'
import { accessOfRevision, isSameAccess } from '../../releases/revision-access.ts'
import { findNewestDeploy } from '../../store.ts'
import { type ActionContext, Cancelled, LeaseLostError, pause, StepFailed } from '../action-context.ts'
import { done, type StepEnd } from './findings.ts'

/**
 * Groups, roles and redirect URIs before Helm runs; nothing is deployed that nobody may enter. An upgrade that names
 * groups and a rollback put theirs in the place of those that hold roles now.
 */
export async function grantStep(context: ActionContext): Promise<StepEnd> {
  const { deps, journal } = context
  if (context.ledger.now().iam_result?.type === 'Success') return done
  const change = await changeOf(context)
  if (!change) return done
  const { realm, groups, exactly } = change
  journal.say('iam', 'Setting up groups, roles and redirect URIs')
  const target = await targetOf(context, realm)
  const waits = waitsOf(context, context.waiting)
  const result = await guarded(() =>
    deps.access.grantAccess(target, groups, waits, {
      moment: failpoint,
      exactly,
      starterId: context.action.started_by_id,
    }),
  )
  await failpoint('F12')
  await keep(context, result)
  if (result.type !== 'Success')
    throw new StepFailed(`IAM Failed: ${result.msg}`, [{ message: result.msg, isSummary: false, resultType: 'error' }])
  return done
}

/** The access to set up for this action; undefined when groups keep the roles they hold. */
async function changeOf(
  context: ActionContext,
): Promise<{ realm: string; groups: AccessGroup[]; exactly: boolean } | undefined> {
  const { input } = context
  if (input.kind === 'Deploy') return { realm: input.realm, groups: input.groups, exactly: false }
  if (input.kind === 'Upgrade') {
    if (input.groups) return { realm: input.realm, groups: input.groups, exactly: true }
    const chosen = await chosenAtInstall(context)
    if (chosen) return { realm: input.realm, groups: chosen, exactly: false }
    // Groups keep what they hold; the roles that the version brings are there to be given.
    return (await rolesMade(context)) && { realm: input.realm, groups: [], exactly: false }
  }
  if (input.kind !== 'Rollback') return undefined
  const [then, now] = await Promise.all([keptOf(context, input.revision), keptOf(context, 'newest')])
  if (then) return now && isSameAccess(then, now) ? undefined : { realm: input.realm, groups: then, exactly: true }
  const chosen = await chosenAtInstall(context)
  return chosen && { realm: input.realm, groups: chosen, exactly: false }
}

/** For an app that was never installed well: the groups that the failed installation should have let in. */
async function chosenAtInstall(context: ActionContext): Promise<AccessGroup[] | undefined> {
  if (await keptOf(context, 'newest')) return undefined
  const install = await installOf(context)
  const input = install && decryptInput(context.deps.encryption, install)
  return input?.kind === 'Deploy' ? input.groups : []
}

function installOf({ deps, action }: ActionContext) {
  return findNewestDeploy(deps.db, action.tenant_id, action.app_id ?? '')
}

/** Groups that the revision of this action lets in; they are kept with the revision. */
export async function accessMade(context: ActionContext): Promise<AccessGroup[] | undefined> {
  const { input } = context
  if (input.kind === 'Deploy') return input.groups
  if (input.kind === 'Upgrade') return input.groups ?? (await keptOf(context, 'newest')) ?? chosenAtInstall(context)
  if (input.kind === 'Rollback')
    return (await keptOf(context, input.revision)) ?? (await keptOf(context, 'newest')) ?? chosenAtInstall(context)
  return undefined
}

function keptOf({ deps, action }: ActionContext, revision: number | 'newest'): Promise<AccessGroup[] | undefined> {
  return accessOfRevision(deps.db, action.tenant_id, action.app_id ?? '', revision)
}

/** After a deletion; an app whose access could not be removed keeps its record, so that it can be deleted again. */
export async function revokeStep(context: ActionContext): Promise<StepEnd> {
  const { input, journal } = context
  if (input.kind !== 'Delete') return done
  const kept = input.leftovers?.keepAccess
  if (!kept?.grants || !kept.redirectUris) journal.say('iam', 'Removing groups, roles and redirect URIs')
  const result = await revoke(context, input.realm, kept)
  await keep(context, result)
  if (result.type !== 'Success') throw new StepFailed(`IAM Failed: ${result.msg}`)
  return done
}

/**
 * Takes back the grants of a first installation that failed; after a failed upgrade, groups get their former roles
 * again. An action that is cancelled while its grant waits may have granted any part of it, and so may one that ends
 * after a takeover: both are taken back as well. False: something could not be taken back.
 */
export async function compensate(
  context: ActionContext,
  outcome: 'failed' | 'cancelled',
  isGrantCut: boolean,
): Promise<boolean> {
  const { input, journal, action, ledger } = context
  const granted = ledger.now().iam_result
  const mayHaveBegun = outcome === 'cancelled' || action.kind === 'Deploy'
  const isUnsure = isGrantCut || (mayHaveBegun && action.fence !== '1' && granted === null)
  if (granted?.type !== 'Success' && !(isUnsure && (await changeOf(context)))) return true
  if (input.kind !== 'Deploy' && input.kind !== 'Upgrade' && input.kind !== 'Rollback') return true
  // Roles alone, which nobody holds, are nobody's access.
  if (input.kind === 'Upgrade' && !input.groups && !(await chosenAtInstall(context))) return true
  // Before anything is taken back: whoever takes this over from here and tries again has to grant it anew.
  await ledger.change({ iam_result: null })
  try {
    journal.say('iam', `Taking back the access of the ${outcome} deployment`)
    const result = await (input.kind === 'Deploy' ? revoke(context, input.realm) : giveBack(context, input.realm))
    if (result.type !== 'Success') journal.say('iam', result.msg, 'error')
    return result.type === 'Success'
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    journal.say('iam', error.message, 'error')
    return false
  }
}

async function giveBack(context: ActionContext, realm: string): Promise<IamResult> {
  const held = await keptOf(context, 'newest')
  if (!held && (await installOf(context))?.state === 'Failed') return revoke(context, realm)
  if (!held) return { type: 'UnknownError', msg: 'It is not known which groups held roles before' }
  const target = await targetOf(context, realm)
  return guarded(() => context.deps.access.grantAccess(target, held, waitsOf(context), { exactly: true }))
}

async function revoke(context: ActionContext, realm: string, keep?: KeptAccess): Promise<IamResult> {
  const target = await targetOf(context, realm)
  return guarded(() => context.deps.access.revokeAccess(target, waitsOf(context), keep))
}

async function targetOf(context: ActionContext, realm: string): Promise<AccessTarget> {
  const { deps, action } = context
  const app = action.app_id ? await deps.apps.record(action.tenant_id, action.app_id) : undefined
  if (!app) throw new StepFailed('The app was deleted in the meantime')
  return {
    tenantId: action.tenant_id,
    realm,
    appId: app.id,
    appName: app.displayName,
    releaseName: action.release_name ?? '',
    resourceRoles: [...app.resourceRoles.map((each) => each.name), ...(await rolesBrought(context, app))],
  }
}

async function keep(context: ActionContext, result: IamResult): Promise<void> {
  await context.ledger.change({ iam_result: result })
  context.journal.say('iam', result.msg, result.type === 'Success' ? 'info' : 'error')
  context.journal.add({ event: 'IAM', payload: { ...result } })
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
