import type { IamResult, MessageLevel } from '@quayside/contract/deployment'
import { failpoint } from '../../kernel/failpoints.ts'
import { write } from './lease-store.ts'
import type { AccessTarget, KeptAccess } from './ports.ts'
import { type Run, StepFailed } from './run.ts'

/** Groups, roles and redirect URIs of a new deployment, before Helm runs; nothing is deployed that nobody may enter. */
export async function grantStep(run: Run): Promise<void> {
  const { deps, input, journal } = run
  if (input.kind !== 'Deploy') return
  if (run.action.iam_result?.type === 'Success') return
  journal.say('iam', 'Setting up groups, roles and redirect URIs')
  const target = await targetOf(run, input.realm)
  const result = await guarded(() => deps.access.grantAccess(target, input.groups, say(run), failpoint))
  await failpoint('F12')
  await keep(run, result)
  if (result.type !== 'Success')
    throw new StepFailed(`IAM Failed: ${result.msg}`, [{ message: result.msg, isSummary: false, resultType: 'error' }])
}

/** After a deletion; an app whose access could not be removed keeps its record, so that it can be deleted again. */
export async function revokeStep(run: Run): Promise<void> {
  const { input, journal } = run
  if (input.kind !== 'Delete') return
  const kept = input.leftovers?.keepAccess
  if (!kept?.grants || !kept.redirectUris) journal.say('iam', 'Removing groups, roles and redirect URIs')
  const result = await revoke(run, input.realm, kept)
  await keep(run, result)
  if (result.type !== 'Success') throw new StepFailed(`IAM Failed: ${result.msg}`)
}

/** Takes back what a first installation was granted when it failed. */
export async function compensate(run: Run): Promise<void> {
  const { input, journal, action } = run
  if (input.kind !== 'Deploy' || action.iam_result?.type !== 'Success') return
  journal.say('iam', 'Taking back the access of the failed deployment')
  try {
    const result = await revoke(run, input.realm)
    if (result.type !== 'Success') journal.say('iam', result.msg, 'error')
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    journal.say('iam', error.message, 'error')
  }
}

async function revoke(run: Run, realm: string, keep?: KeptAccess): Promise<IamResult> {
  const target = await targetOf(run, realm)
  return guarded(() => run.deps.access.revokeAccess(target, say(run), keep))
}

async function targetOf({ deps, action }: Run, realm: string): Promise<AccessTarget> {
  const app = action.app_id ? await deps.apps.find(action.tenant_id, action.app_id) : undefined
  if (!app) throw new StepFailed('The app was deleted in the meantime')
  return {
    tenantId: action.tenant_id,
    realm,
    appId: app.id,
    appName: app.displayName,
    releaseName: action.release_name ?? '',
    resourceRoles: app.resourceRoles.map((each) => each.name),
  }
}

async function keep(run: Run, result: IamResult): Promise<void> {
  run.action.iam_result = result
  await write(run.deps.db, run.action, { iam_result: JSON.stringify(result) })
  run.journal.say('iam', result.msg, result.type === 'Success' ? 'info' : 'error')
  run.journal.add({ event: 'IAM', payload: { ...result } })
}

/** Whatever the identity server does, the answer is one of the five outcomes. */
async function guarded(call: () => Promise<IamResult>): Promise<IamResult> {
  try {
    return await call()
  } catch (error) {
    return { type: 'UnknownError', msg: error instanceof Error ? error.message : 'Unknown error' }
  }
}

function say(run: Run) {
  return (message: string, level: MessageLevel) => run.journal.say('iam', message, level)
}
