import type { HelmOutcome } from '../../../../adapters/helm/helm.ts'
import { unfinishedStatuses } from '../../../../adapters/helm/release.ts'
import { failpoint } from '../../../../platform/config/failpoints.ts'
import { Failure, fail, isDiskFull } from '../../../../platform/http/errors.ts'
import type { ReleaseLock, ReleaseRevision } from '../../ports.ts'
import { releaseOfAction } from '../../releases/release-ref.ts'
import { classify, type Found, type HelmKind, type Question } from '../../releases/release-state.ts'
import { secretValues } from '../../secrets/redact-untrusted.ts'
import { type ActionContext, LeaseLostError, messageType, mustGoOn, pause, StepFailed } from '../action-context.ts'
import { explainFullDisk } from '../disk.ts'
import { timeoutResult } from '../ending.ts'
import { write } from '../lease-store.ts'
import { mendRelease } from '../mend-release.ts'
import { tellOverwrites } from '../overwrites.ts'
import { endReach, reachOut } from '../reach-out.ts'
import { decide, type LastRun } from '../recovery.ts'
import { isTurnedAway, waitMs } from '../retry-policy.ts'
import { secondsAway } from '../unknown-store.ts'
import { rememberObjects } from './gone.ts'
import { reasonOf } from './helm-words.ts'
import { runHelm } from './run-helm.ts'

const longestWaitMs = 60_000

/**
 * Asks what the cluster holds, does what the decision table says, and asks again, until it is known how this ends.
 * Before the first Helm, after it, and after a takeover it is the same loop.
 */
export async function helmStep(run: ActionContext): Promise<void> {
  const { action, journal } = run
  const kind = action.kind as HelmKind
  let last: LastRun = action.attempt > 0 ? 'lost' : 'never'
  let misses = 0
  let before: LastRun = last
  let refusals = 0
  let firstRefusalAt = 0
  for (;;) {
    const { found, newest, revisions, unreachableSeconds } = await look(run)
    mustGoOn(run)
    const turnedAwaySeconds = refusals > 0 ? (performance.now() - firstRefusalAt) / 1000 : 0
    const force = run.input.kind === 'Repair' && run.input.force === true
    const { attempt: starts } = action
    const verdict = decide({ kind, found, last, attempt: starts, unreachableSeconds, turnedAwaySeconds, force })
    if (verdict.do === 'finish') {
      if (verdict.state === 'Success') return
      if (found.is === 'unreachable') throw outcomeUnknown(run, verdict.because)
      const { lastError } = run.helm
      const said = lastError && run.secrets.redactUntrusted(lastError)
      throw new StepFailed(reasonOf(said, last, verdict.because, 'held' in found && found.held === verdict.because))
    }
    if (verdict.do === 'wait') {
      if (misses === 0) journal.say(messageType(kind), 'The cluster does not answer, waiting for it', 'error')
      await pause(Math.min(longestWaitMs, 1000 * 2 ** misses++) * (0.75 + Math.random() / 2), run.waiting)
    } else if (verdict.do === 'again') {
      const wait = waitMs(refusals++)
      journal.say(messageType(kind), `${verdict.because}: trying again in ${wait / 1000} s`)
      await uncountStart(run)
      last = before
      await pause(wait, run.waiting)
    } else if (verdict.do === 'run') {
      if (verdict.because && refusals === 0) journal.say(messageType(kind), verdict.because)
      if (refusals === 0) await tellOverwrites(run)
      await rememberObjects(run, newest?.manifest)
      before = last === 'turned-away' ? 'refused' : last
      last = await attempt(run, found, revisions)
      if (refusals === 0) firstRefusalAt = performance.now()
    } else await mendRelease(run, found, verdict)
  }
}

/** A start of Helm that could write nothing does not count as one, for another replica neither. */
async function uncountStart(run: ActionContext): Promise<void> {
  const { deps, action, helm } = run
  action.attempt -= 1
  run.helm = { ...helm, lastError: null }
  if (!(await write(deps.db, action, { attempt: action.attempt }))) throw new LeaseLostError('the lease is lost')
}

/** An outcome that nobody knows: Helm's last error is added as a line, because it is not the reason. */
function outcomeUnknown({ helm: { lastError } }: ActionContext, because: string): StepFailed {
  const said = lastError && ({ message: lastError, isSummary: false, resultType: 'error' } as const)
  return new StepFailed(because, said ? [said] : [])
}

interface Looked {
  found: Found
  newest?: ReleaseRevision | undefined
  revisions: readonly ReleaseRevision[]
  unreachableSeconds: number
}

async function look(run: ActionContext): Promise<Looked> {
  const { deps, action, input } = run
  const question: Question = {
    kind: action.kind as HelmKind,
    actionId: action.id,
    target: input.kind === 'Rollback' ? input.revision : null,
    baseRevision: action.base_revision,
  }
  let revisions: ReleaseRevision[]
  let unreadable: number[]
  let lock: ReleaseLock | undefined
  try {
    const history = await deps.clusters.readHistory(releaseOfAction(action))
    revisions = history.revisions
    unreadable = history.unreadable
    const isUnfinished = unfinishedStatuses.has(revisions[0]?.status ?? '')
    // An unreadable newest revision does not show who holds the lock.
    if (isUnfinished && unreadable.every((each) => each < (revisions[0]?.revision ?? 0)))
      lock = await deps.clusters.releaseLock(action.tenant_id, action.app_id ?? '')
  } catch (error) {
    if (!(error instanceof Failure && error.code.startsWith('cluster.'))) throw error
    action.unreachable_since ??= new Date()
    return { found: { is: 'unreachable' }, revisions: [], unreachableSeconds: await secondsAway(deps.db, action) }
  }
  if (action.unreachable_since !== null) {
    // Or whoever takes this over would take it for one absence since then.
    action.unreachable_since = null
    await write(deps.db, action, { unreachable_since: null })
  }
  const newest = revisions[0]
  if (newest) run.learnSecrets(secretValues(newest.values, []))
  for (const each of revisions)
    if (each === newest || each.revision === question.target) await run.secrets.learnRelease(each)
  run.journal.release()
  run.helm.revision = newest?.revision ?? null
  run.helm.notes = newest?.notes ?? ''
  return { found: classify(revisions, question, { lock, unreadable }), newest, revisions, unreachableSeconds: 0 }
}

async function attempt(run: ActionContext, found: Found, revisions: readonly ReleaseRevision[]): Promise<LastRun> {
  const { action, helm, journal, deps } = run
  await run.enter('helm')
  const base = helm.revision ?? 0
  const place = await run.helmPlaces.take(run, base)
  let outcome: HelmOutcome
  try {
    action.attempt = place.attempt
    action.base_revision ??= base
    await failpoint('F13')
    run.reached = await reachOut(run, revisions)
    outcome = await runHelm(run, found.is)
    await failpoint('F19')
    // Entering the next state frees the place in the ledger, before the next action of this replica asks for it.
    await run.enter('verifying')
  } catch (error) {
    if (!isDiskFull(error)) throw error
    // Helm found no room to start in. What is in the cluster is read back as after any other refusal.
    const { message } = fail('deployment.disk-full')
    journal.say(messageType(action.kind), message, 'error')
    run.helm = { ...run.helm, lastError: message }
    return 'refused'
  } finally {
    place.leave()
    await endReach(run)
  }
  mustGoOn(run)
  const said = errorOf(outcome)
  const last = lastRunOf(outcome, said)
  run.helm = {
    ...run.helm,
    ran: true,
    // After a timeout, clients wait for the hook result, whatever a second start of Helm says.
    timedOut: helm.timedOut || last === 'timeout',
    lastError: await explainFullDisk(deps.config.dataDir, said),
  }
  if (last === 'timeout') sayTimeout(run)
  return last
}

const timeoutText = /timed out|deadline exceeded|timeout/i

/** How a start of Helm ended, for the table of recovery.ts. A process without an exit code was ended by a signal. */
function lastRunOf({ ended, code, stderr }: HelmOutcome, said: string | null): LastRun {
  if (ended === 'deadline') return 'timeout'
  if (ended !== 'exit' || code === null) return 'lost'
  if (code === 0) return 'done'
  if (isTurnedAway(said)) return 'turned-away'
  return timeoutText.test(stderr) ? 'timeout' : 'refused'
}

/** Helm's own words for what went wrong. */
function errorOf({ ended, code, stderr }: HelmOutcome): string | null {
  if (ended === 'deadline') return 'Helm timed out'
  if (ended === 'limit') return 'Helm was stopped: it used more memory or time than it may, or somebody ended it'
  if (code === 0) return null
  const lines = stderr.split('\n').filter((line) => line.trim() !== '')
  const said = lines.findLast((line) => line.startsWith('Error:')) ?? lines.at(-1)
  return said?.replace(/^Error: /, '') ?? null
}

function sayTimeout({ journal, action }: ActionContext): void {
  journal.say('helm', 'Helm timed out, reading back what it left in the cluster', 'error')
  journal.add({ event: 'helmresult', payload: timeoutResult(action.kind) })
}
