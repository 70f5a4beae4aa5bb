import type { HelmOutcome } from '../../../../adapters/helm/helm.ts'
import { unfinishedStatuses } from '../../../../adapters/helm/release.ts'
import { failpoint } from '../../../../platform/config/failpoints.ts'
import { Failure, fail, isDiskFull } from '../../../../platform/http/errors.ts'
import type { ReleaseLock, ReleaseRevision } from '../../ports.ts'
import { releaseOfAction } from '../../releases/release-ref.ts'
import { classify, type Found, type HelmKind, type Question } from '../../releases/release-state.ts'
import { secretValues } from '../../secrets/redact-untrusted.ts'
import {
  Aborted,
  type ActionContext,
  abortOf,
  messageType,
  mustGoOn,
  pauseUnlessAborted,
  StepFailed,
} from '../action-context.ts'
import { explainFullDisk } from '../disk.ts'
import { timeoutResult } from '../ending.ts'
import { createFullLine } from '../helm-places.ts'
import { endOutsideRights, giveOutsideRights } from '../outside-rights.ts'
import { tellOverwrites } from '../overwrites.ts'
import { decide, type LastRun } from '../recovery.ts'
import { repairRelease } from '../repair-release.ts'
import { isApiUnavailable, waitMs } from '../retry-policy.ts'
import type { Findings, HelmEnd, StepEnd } from './findings.ts'
import { rememberObjects } from './gone.ts'
import { lastWords, reasonOf } from './helm-words.ts'
import { runHelm } from './run-helm.ts'

const longestWaitMs = 60_000

type Read = Pick<Findings, 'chartFile' | 'rendered' | 'kubeconfig' | 'helm'>

/**
 * Asks what the cluster holds, does what the decision table says, and asks again, until it is known how this ends.
 * Before the first Helm, after it, and after a takeover it is the same loop.
 */
export async function helmStep(context: ActionContext, read: Read): Promise<StepEnd<'helm'>> {
  const notes = createNotes(read.helm)
  try {
    await untilKnown(context, read, notes)
    return { found: { helm: notes.all() } }
  } catch (failure) {
    return { found: { helm: notes.all() }, failure }
  }
}

/** Findings of this step about Helm's part, which are told also when it fails. */
interface Notes {
  all(): HelmEnd
  add(more: Partial<HelmEnd>): void
}

function createNotes(before: HelmEnd): Notes {
  let all = before
  return {
    all: () => all,
    add(more) {
      all = { ...all, ...more }
    },
  }
}

async function untilKnown(context: ActionContext, read: Read, notes: Notes): Promise<void> {
  const { action, ledger, journal, secrets } = context
  const kind = action.kind as HelmKind
  const sayFull = createFullLine(context)
  let last: LastRun = ledger.now().attempt > 0 ? 'lost' : 'never'
  let misses = 0
  let before: LastRun = last
  let refusals = 0
  let firstRefusalAt = 0
  for (;;) {
    const { found, newest, revisions, unreachableSeconds } = await look(context, notes)
    mustGoOn(context)
    const unavailableSeconds = refusals > 0 ? (performance.now() - firstRefusalAt) / 1000 : 0
    const force = context.input.kind === 'Repair' && context.input.force === true
    const { stopped } = noteAbort(context, notes)
    const { attempt: starts } = ledger.now()
    const verdict = decide({
      kind,
      found,
      last,
      attempt: starts,
      unreachableSeconds,
      unavailableSeconds,
      force,
      isAborted: context.aborting.aborted,
    })
    const lastError = stopped ?? notes.all().lastError
    if (verdict.do === 'finish') {
      if (verdict.state === 'Success') return
      if (found.is === 'unreachable') throw outcomeUnknown(lastError, verdict.because)
      const said = lastError && secrets.redactUntrusted(lastError)
      const isHeld = 'held' in found && found.held === verdict.because
      const { timedOut, blocked } = notes.all()
      if (timedOut && stopped === null && blocked !== null && !isHeld)
        throw new StepFailed(`${blocked}. The time limit of ${context.deps.config.deployTimeoutSeconds} s is over`)
      throw new StepFailed(reasonOf(said, last, verdict.because, isHeld))
    }
    if (stopped !== null && (verdict.do === 'run' || verdict.do === 'again')) throw new StepFailed(stopped)
    if (verdict.do === 'wait') {
      if (misses === 0) journal.say(messageType(kind), 'The cluster does not answer, waiting for it', 'error')
      await pauseUnlessAborted(Math.min(longestWaitMs, 1000 * 2 ** misses++) * (0.75 + Math.random() / 2), context)
    } else if (verdict.do === 'again') {
      const wait = waitMs(refusals++)
      journal.say(messageType(kind), `${verdict.because}: trying again in ${wait / 1000} s`)
      notes.add({ lastError: null })
      await ledger.uncountStart()
      last = before
      await pauseUnlessAborted(wait, context)
    } else if (verdict.do === 'run') {
      if (verdict.because && refusals === 0) journal.say(messageType(kind), verdict.because)
      if (refusals === 0) await tellOverwrites(context, read.rendered?.manifest)
      await rememberObjects(context, newest?.manifest)
      before = last === 'api-unavailable' ? 'refused' : last
      last = await attempt(context, { read, notes, sayFull }, found, revisions)
      if (refusals === 0) firstRefusalAt = performance.now()
    } else await repairRelease(context, found, verdict, lastError)
  }
}

/** Takes down that somebody has ended Helm, which is the reason of the end from then on. */
function noteAbort(context: ActionContext, notes: Notes): HelmEnd {
  const aborted = abortOf(context)
  if (aborted && notes.all().stopped === null) notes.add({ stopped: aborted.message })
  return notes.all()
}

/** An outcome that nobody knows: Helm's last error is added as a line, because it is not the reason. */
function outcomeUnknown(lastError: string | null, because: string): StepFailed {
  const said = lastError && ({ message: lastError, isSummary: false, resultType: 'error' } as const)
  return new StepFailed(because, said ? [said] : [])
}

interface Looked {
  found: Found
  newest?: ReleaseRevision | undefined
  revisions: readonly ReleaseRevision[]
  unreachableSeconds: number
}

async function look(context: ActionContext, notes: Notes): Promise<Looked> {
  const { deps, action, ledger, input, secrets } = context
  const question: Question = {
    kind: action.kind as HelmKind,
    actionId: action.id,
    target: input.kind === 'Rollback' ? input.revision : null,
    baseRevision: ledger.now().base_revision,
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
    return { found: { is: 'unreachable' }, revisions: [], unreachableSeconds: await ledger.clusterIsAway() }
  }
  // Or whoever takes this over would take it for one absence since then.
  await ledger.clusterIsBack()
  const newest = revisions[0]
  if (newest) secrets.learn(secretValues(newest.values, []))
  for (const each of revisions)
    if (each === newest || each.revision === question.target) await secrets.learnRelease(each)
  context.journal.release()
  notes.add({ hasLooked: true, revision: newest?.revision ?? null, notes: newest?.notes ?? '' })
  return { found: classify(revisions, question, { lock, unreadable }), newest, revisions, unreachableSeconds: 0 }
}

interface Attempt {
  read: Read
  notes: Notes
  sayFull(): void
}

async function attempt(
  context: ActionContext,
  { read, notes, sayFull }: Attempt,
  found: Found,
  revisions: readonly ReleaseRevision[],
): Promise<LastRun> {
  const { ledger, journal, deps, action } = context
  const { rendered, chartFile, kubeconfig } = read
  await ledger.enter('helm')
  const baseRevision = notes.all().revision ?? 0
  const leave = await context.helmPlaces.take(context, baseRevision, sayFull).catch((error: unknown) => {
    if (!(error instanceof Aborted)) throw error
  })
  if (!leave) return 'lost'
  let outcome: Awaited<ReturnType<typeof runHelm>>
  try {
    await failpoint('F13')
    const given = await giveOutsideRights(context, rendered, revisions)
    const onWaiting = () => leaveEarly(context, leave)
    const plan = { found: found.is, baseRevision, given, chartFile, kubeconfig, onWaiting }
    outcome = await runHelm(context, plan, (open) => notes.add({ open }))
    await failpoint('F19')
    // Entering the next state frees the place in the ledger, before the next action of this replica asks for it.
    await ledger.enter('verifying')
  } catch (error) {
    if (!isDiskFull(error)) throw error
    // Helm found no room to start in. What is in the cluster is read back as after any other refusal.
    const { message } = fail('deployment.disk-full')
    journal.say(messageType(action.kind), message, 'error')
    notes.add({ lastError: message })
    return 'refused'
  } finally {
    leave()
    await endOutsideRights(context)
  }
  mustGoOn(context)
  const { withdrawn, gaveUp, blocked } = outcome
  if (withdrawn !== undefined) journal.say(messageType(action.kind), withdrawn, 'error')
  const stopped = withdrawn ?? gaveUp
  if (stopped !== undefined) notes.add({ stopped })
  const said = errorOf(outcome)
  const last = lastRunOf(outcome, said)
  const lastError = await explainFullDisk(deps.config.dataDir, said)
  // After a timeout, clients wait for the hook result, whatever a second start of Helm says.
  notes.add({
    ran: true,
    timedOut: notes.all().timedOut || last === 'timeout',
    lastError,
    blocked: blocked ?? openOf(notes.all()),
  })
  if (last === 'timeout') sayTimeout(context)
  return last
}

/** A Helm that waits for pods needs no processor: whoever stands in line for its place gets it. */
function leaveEarly({ ledger, deps, action, moveToWaiting }: ActionContext, leave: () => void): void {
  const free = async () => {
    await ledger.freeHelmPlace()
    leave()
    moveToWaiting()
  }
  free().catch((error: unknown) => {
    deps.log.debug({ err: error, actionId: action.id }, 'the place of a Helm that waits is freed at its end')
  })
}

/** The first object that Helm was still waiting for, in a sentence. */
function openOf({ open }: HelmEnd): string | null {
  const [first] = open
  if (!first) return null
  const { kind, name, detail, lastEvent } = first
  return `${kind} ${name} did not become ready: ${detail}${lastEvent ? `. ${lastEvent}` : ''}`
}

const timeoutText = /timed out|deadline exceeded|timeout/i

/** How a start of Helm ended, for the table of recovery.ts. A process without an exit code was ended by a signal. */
function lastRunOf({ ended, code, stderr }: HelmOutcome, said: string | null): LastRun {
  if (ended === 'deadline') return 'timeout'
  if (ended !== 'exit' || code === null) return 'lost'
  if (code === 0) return 'done'
  if (isApiUnavailable(said)) return 'api-unavailable'
  return timeoutText.test(stderr) ? 'timeout' : 'refused'
}

/** Helm's own words for what went wrong. */
function errorOf({ ended, code, stderr }: HelmOutcome): string | null {
  if (ended === 'deadline') return 'Helm timed out'
  if (ended === 'limit') return 'Helm was stopped: it used more memory or time than it may, or somebody ended it'
  if (code === 0) return null
  return lastWords(stderr)
}

function sayTimeout({ journal, action }: ActionContext): void {
  journal.say('helm', 'Helm timed out, reading back what it left in the cluster', 'error')
  journal.add({ event: 'helmresult', payload: timeoutResult(action.kind) })
}
