import { Failure } from '../../../platform/http/errors.ts'
import { releaseOfAction } from '../releases/release-ref.ts'
import type { Found } from '../releases/release-state.ts'
import { type ActionContext, messageType, pause, StepFailed } from './action-context.ts'
import { decideAway, type Verdict } from './recovery.ts'
import { isAway } from './retry-policy.ts'
import { interruption } from './steps/helm-words.ts'

const longestWaitMs = 60_000

/** Makes a revision block nothing any more, so that whoever looks again sees one that has ended. */
export async function repairRelease(
  context: ActionContext,
  found: Found,
  verdict: Verdict & { do: 'unlock' | 'supersede' | 'set-aside' },
  lastError: string | null,
): Promise<void> {
  const { deps, action, journal, secrets } = context
  const release = releaseOfAction(action)
  if (verdict.do === 'set-aside') {
    const { revision } = verdict
    const secret = `sh.helm.release.v1.${action.release_name}.v${revision}`
    journal.say('helm', `Revision ${revision} cannot be read: its Secret becomes ${secret}.unreadable`)
    if (!(await untilTaken(context, () => deps.clusters.setRevisionAside(release, revision))))
      await pause(1000, context.signal)
    return
  }
  const isUnlock = verdict.do === 'unlock'
  const from = isUnlock ? (found.is === 'pending' ? found.status : 'uninstalling') : 'deployed'
  const because = isUnlock ? verdict.because : `Two revisions counted as deployed, ${verdict.revision} is the older one`
  journal.say(messageType(action.kind), because)
  const isOwn = found.is === 'pending' ? found.ours : action.kind === 'Delete'
  const said = isOwn && lastError ? secrets.redactUntrusted(lastError) : null
  const change = {
    revision: verdict.revision,
    from,
    to: isUnlock ? 'failed' : 'superseded',
    description: isUnlock ? interruption(because, said) : because,
  } as const
  const done = await untilTaken(context, () => deps.clusters.setReleaseStatus(release, change))
  if (!done) await pause(1000, context.signal)
  if (isUnlock && verdict.thenFail) throw new StepFailed(because)
}

/**
 * An action that ended before its release is free would leave it blocked: a cluster that answers questions and takes no
 * writes is waited for as one that is away, and who comes after 15 minutes knows from the ledger that there is something
 * left to settle.
 */
async function untilTaken(context: ActionContext, set: () => Promise<boolean>): Promise<boolean> {
  const { action, ledger, journal, signal } = context
  for (let tries = 0; ; tries += 1) {
    try {
      const isDone = await set()
      if (tries > 0) await ledger.clusterIsBack()
      return isDone
    } catch (error) {
      if (!mayPass(error)) throw error
      const verdict = decideAway(await ledger.clusterIsAway())
      if (verdict.do === 'finish')
        throw new StepFailed(verdict.because, [{ message: error.message, isSummary: false, resultType: 'error' }])
      if (tries === 0) journal.say(messageType(action.kind), `${error.message} Trying again`, 'error')
      await pause(Math.min(longestWaitMs, 1000 * 2 ** tries) * (0.75 + Math.random() / 2), signal)
    }
  }
}

function mayPass(error: unknown): error is Failure {
  if (isAway(error)) return true
  return error instanceof Failure && error.code === 'cluster.refused' && Number(error.details?.status) >= 500
}
