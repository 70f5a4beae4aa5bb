import { randomUUID } from 'node:crypto'
import { failpoint } from '../../../platform/config/failpoints.ts'
import { unlessUnderWay } from '../../../platform/db/exclusive.ts'
import { Failure, fail, isDatabaseTrouble, isDiskFull } from '../../../platform/http/errors.ts'
import { keepLease } from '../../../platform/jobs/keep-lease.ts'
import { logContext } from '../../../platform/logging/log-context.ts'
import { clearFormer } from '../commands/clear.ts'
import { decryptInput } from '../commands/command-input.ts'
import { abortChannel, cancelChannel } from '../commands/ending/cancel-store.ts'
import { createAllowance } from '../commands/still-allowed.ts'
import type { DeploymentDeps } from '../deps.ts'
import { timeoutIsLogged } from '../ledger/event-store.ts'
import { createJournal } from '../ledger/journal.ts'
import { forgetSome } from '../ledger/retention-store.ts'
import { createRunSecrets } from '../secrets/run-secrets.ts'
import { findAction } from '../store.ts'
import type { ActionRow } from '../tables.ts'
import { inWorker } from '../values/values-pool.ts'
import {
  Aborted,
  type ActionContext,
  Cancelled,
  LeaseLostError,
  messageType,
  mustGoOn,
  NoLongerAllowed,
  StepFailed,
} from './action-context.ts'
import { createActionLedger } from './action-ledger.ts'
import { type Ended, endCancelled, endUnbegun, giveUp, succeed } from './conclude.ts'
import { inLine } from './ending.ts'
import { createHelmPlaces } from './helm-places.ts'
import { append, claim, releaseLease, renew, type Standing, sharerOf, unattended } from './lease-store.ts'
import { endOutsideRights } from './outside-rights.ts'
import { declareQueues, queueOf, queues, sharedPlaces, sharedQueue } from './queues.ts'
import { settleUnknown } from './reconcile-unknown.ts'
import type { Place } from './sharing/shares.ts'
import { createSharing } from './sharing/sharing.ts'
import { compensate } from './steps/access.ts'
import { type Findings, noFindings } from './steps/findings.ts'
import { runPhase } from './steps/step-table.ts'
import { phasesOf, stateOf } from './steps/steps.ts'

/**
 * How often an action is begun anew after an error that nobody foresaw: what it left must be looked at, not guessed.
 */
const mostGoes = 5
/**
 * An action that was claimed so often and still meets errors of the database fails: the database answers, and refuses
 * its writes.
 */
const mostClaimsOnErrors = 50
/** A replica that is to stop waits no longer than this for a database that is away. */
const mostOfStopMs = 5000
const writeAgainMs = 500
/** How often each replica looks for actions that nobody holds: part of how long a takeover takes. */
const roundsPerLease = 6
const settleEveryMs = 30_000
const clearEveryMs = 5 * 60_000
const forgetEveryMs = 3_600_000

/** Works on the ledger until stopped. */
interface Worker {
  start(): Promise<void>
  /** Claims nothing more, lets what runs end for a while, then hands it over. */
  stop(maxWaitMs: number): Promise<void>
}

export function createWorker(deps: DeploymentDeps): Worker {
  const { db, jobs, log } = deps
  const { leaseSeconds } = deps.config
  const owner = randomUUID()
  const helmPlaces = createHelmPlaces()
  const active = new Map<string, { stops: Stops; done: Promise<void> }>()
  const listening: (() => Promise<void>)[] = []
  let isStopping = false
  const takeShared = sharingOf(deps, { claimed, carryOut, isStopping: () => isStopping })

  /** The action, if this replica has it now. */
  async function claimed(actionId: string): Promise<ActionRow | undefined> {
    if (isStopping || active.has(actionId)) return undefined
    const action = await claim(db, actionId, owner, leaseSeconds)
    if (!action) return undefined
    await failpoint('F4')
    if (!isStopping) return action
    await releaseLease(db, action)
    return undefined
  }

  /** Resolves when the queue may go on: at the end of the action, or when its place is left. */
  async function carryOut(action: ActionRow, place?: Place): Promise<void> {
    const actionId = action.id
    const stops = newStops()
    const moveToWaiting = () => place?.moveToWaiting()
    const ids = { actionId, tenantId: action.tenant_id }
    const done = logContext
      .run(ids, () => processAction(deps, action, { stops, helmPlaces, moveToWaiting }))
      // The lease runs out and somebody takes it up again.
      .catch((error: unknown) => log.error({ err: error, ...ids }, 'an action was left where it was'))
      .finally(() => {
        active.delete(actionId)
        place?.end()
      })
    active.set(actionId, { stops, done })
    await (place ? Promise.race([done, place.released]) : done)
  }

  async function take(actionId: string): Promise<void> {
    const action = await claimed(actionId)
    if (action) await carryOut(action)
  }

  async function forgetOld(): Promise<void> {
    while (!isStopping && (await forgetSome(db, deps.config.ledgerDays))) await new Promise(setImmediate)
  }

  return {
    async start() {
      await declareQueues(jobs, deps.config.deployTimeoutSeconds)
      const cancelled = (id: string) => active.get(id)?.stops.cancelling.abort(new Cancelled('cancelled'))
      listening.push(await db.listen(cancelChannel, cancelled))
      listening.push(
        await db.listen(abortChannel, (note) => {
          const at = note.indexOf(' ')
          active.get(note.slice(0, at))?.stops.aborting.abort(new Aborted(note.slice(at + 1)))
        }),
      )
      for (const queue of queues)
        await jobs.work<{ actionId: string }>(queue, ({ actionId }) =>
          queue === sharedQueue ? takeShared(actionId) : take(actionId),
        )
      jobs.every((leaseSeconds * 1000) / roundsPerLease, () => recover(deps))
      jobs.every(settleEveryMs, () => settleUnknown(deps))
      jobs.every(clearEveryMs, () => unlessUnderWay(db.pool, 'former spaces', () => clearFormer(deps)))
      jobs.every(forgetEveryMs, forgetOld)
    },
    async stop(maxWaitMs) {
      isStopping = true
      await jobs.stopClaiming()
      const all = Promise.all([...active.values()].map((each) => each.done))
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, maxWaitMs).unref())])
      for (const { stops } of active.values()) stops.abort.abort()
      await all
      for (const stop of listening.splice(0)) await stop()
    },
  }
}

/** Sends a wake-up for every action that nobody holds, on every replica; the claim lets one of them through. */
async function recover(deps: DeploymentDeps): Promise<void> {
  for (const action of await unattended(deps.db, deps.config.leaseSeconds)) {
    await wakeSomebody(deps, { ...action, queue: queueOf(action.kind) })
    // Nobody has begun it, nor said this yet; replicas that say it at the same time say it once.
    if (action.isLate && action.fence === '0' && action.last_seq === 0 && action.kind !== 'Prepare')
      await append(deps.db, action, [inLine(action.kind)])
  }
}

/** The places of this replica, taken by actions of the queue that spaces share. */
const sharingOf = (
  deps: DeploymentDeps,
  work: Pick<Parameters<typeof createSharing>[0], 'claimed' | 'carryOut' | 'isStopping'>,
) =>
  createSharing({
    ...work,
    log: deps.log,
    places: { working: sharedPlaces, waiting: deps.config.waitingHelms },
    areTenantsSeveral: deps.areTenantsSeveral,
    sharerOf: (actionId) => sharerOf(deps.db, actionId),
    wake: (id, tenant_id) => wakeSomebody(deps, { id, tenant_id, queue: sharedQueue }),
  })

async function wakeSomebody(
  { db, jobs }: DeploymentDeps,
  { id, tenant_id, queue }: Pick<ActionRow, 'id' | 'tenant_id'> & { queue: string },
): Promise<void> {
  await db.platform((trx) => jobs.send(trx, queue, id, { actionId: id, tenantId: tenant_id }))
}

interface Stops {
  /** This replica must not go on. */
  abort: AbortController
  /** The action is not wanted any more. */
  cancelling: AbortController
  /** Its Helm is to be ended. */
  aborting: AbortController
}

/** The part of this replica in the work on an action. */
interface Replica extends Pick<ActionContext, 'helmPlaces' | 'moveToWaiting'> {
  stops: Stops
}

const newStops = (): Stops => ({
  abort: new AbortController(),
  cancelling: new AbortController(),
  aborting: new AbortController(),
})

/** From the claim to the end, or to where this replica has to let go. */
async function processAction(deps: DeploymentDeps, action: ActionRow, replica: Replica): Promise<void> {
  const { stops } = replica
  const { abort, cancelling, aborting } = stops
  const log = deps.log.child({ kind: action.kind })
  let isLost = false
  const lose = (why: string) => {
    isLost = true
    log.warn({ why }, 'the lease of an action is lost')
    abort.abort()
  }
  const { leaseSeconds } = deps.config
  /** Passes on that somebody has cancelled or aborted it; whether the lease is still held. */
  const heldAfter = (standing: Standing | undefined) => {
    if (typeof standing?.cancelled_by === 'string') cancelling.abort(new Cancelled('cancelled'))
    if (typeof standing?.aborted_by === 'string') aborting.abort(new Aborted(standing.aborted_by))
    return standing !== undefined
  }
  heldAfter(action)
  const beat = async () => heldAfter(await renew(deps.db, action, leaseSeconds))
  const stopKeeping = keepLease(leaseSeconds, beat, lose, log)
  const context = contextOf(deps, action, replica, () => lose('somebody else writes its log'))
  try {
    await work(context)
    await failpoint('F21')
  } catch (error) {
    if (!(error instanceof LeaseLostError) && !abort.signal.aborted) {
      // The database may answer again by now: with the lease released, the next worker need not wait until it ends.
      try {
        await writeRest(context, () => !isLost)
        await releaseLease(deps.db, action)
      } catch (second) {
        log.warn({ err: second }, 'an action was not let go, its lease runs out')
      }
      throw error
    }
    if (isLost) return
    const until = performance.now() + mostOfStopMs
    await writeRest(context, () => !isLost && performance.now() < until)
    if (await releaseLease(deps.db, action)) await wakeSomebody(deps, { ...action, queue: queueOf(action.kind) })
  } finally {
    stopKeeping()
    await context.journal.takeRest()
  }
}

/** The lines that are left are as good as those before: a database that is away for a moment must not lose them. */
async function writeRest({ ledger, journal }: ActionContext, mayWait: () => boolean): Promise<void> {
  const rest = await journal.takeRest()
  for (;;) {
    try {
      await ledger.append(rest)
      return
    } catch (error) {
      if (!isDatabaseTrouble(error) || !mayWait()) throw error
      await new Promise((resolve) => setTimeout(resolve, writeAgainMs))
    }
  }
}

async function work(context: ActionContext): Promise<void> {
  const { action, ledger } = context
  let findings = await begin(context)
  let isGrantCut = false
  try {
    await context.mustStillBeAllowed()
    for (const phase of phasesOf(action.kind, action.release_name !== null)) {
      mustGoOn(context)
      await context.mustStillBeAllowed()
      // One that was taken over only to be ended needs nothing that is there for a new start of Helm.
      if (context.aborting.aborted && !findings.helm.hasLooked && !phase.includes('helm')) continue
      await ledger.enter(stateOf(phase))
      const end = await runPhase(context, phase, findings)
      findings = end.findings
      isGrantCut ||= end.cut.includes('grant')
      if (end.failures.length > 0) throw end.failures[0]
      if (action.kind === 'Delete' && phase.includes('helm')) await failpoint('F22')
      if (action.kind === 'Delete' && phase.includes('revoke')) await failpoint('F23')
    }
  } catch (error) {
    await endFailed(context, { helm: findings.helm, iam: ledger.now().iam_result }, isGrantCut, error)
    return
  }
  await succeed(context, { helm: findings.helm, iam: ledger.now().iam_result })
}

/** Learns what is secret before the first line of the log is written, and what somebody before has left. */
async function begin(context: ActionContext): Promise<Findings> {
  const { deps, action, input, secrets, journal } = context
  if (input.kind === 'Deploy' || input.kind === 'Upgrade') secrets.learn(await inWorker('hidden', input))
  if (action.kind !== 'Prepare') journal.say(messageType(action.kind), startText(context))
  if (action.fence === '1') return noFindings(false)
  const isTimeoutTold = await timeoutIsLogged(deps.db, action)
  // The worker that had the action before may have been killed while the action held rights on the cluster.
  await endOutsideRights(context)
  return noFindings(isTimeoutTold)
}

/** Ends an action whose steps have ended with an error; throws it when the action is not at its end by that. */
async function endFailed(context: ActionContext, ended: Ended, isGrantCut: boolean, error: unknown): Promise<void> {
  const { deps, action } = context
  if (error instanceof LeaseLostError || context.signal.aborted) throw error
  // Also when a step has failed meanwhile: nobody wants to hear of it any more.
  if (error instanceof Cancelled || context.waiting.aborted) {
    const isTakenBack = await compensate(context, 'cancelled', isGrantCut)
    const row = await findAction(deps.db, action.tenant_id, action.id)
    return endCancelled(context, ended, row?.cancelled_by ?? 'somebody', isTakenBack)
  }
  if (error instanceof NoLongerAllowed) {
    const isTakenBack = await compensate(context, 'cancelled', isGrantCut)
    return endUnbegun(context, ended, { summary: error.message, level: 'error', isTakenBack })
  }
  if (isDatabaseTrouble(error) && Number(action.fence) < mostClaimsOnErrors) throw error
  const isKnown = error instanceof StepFailed || error instanceof Failure || isDiskFull(error)
  if (!isKnown && Number(action.fence) < mostGoes) throw error
  const failure = error instanceof StepFailed ? error : unexpected(context, error)
  await compensate(context, 'failed', isGrantCut)
  await giveUp(context, ended, failure)
}

function unexpected({ deps, action }: ActionContext, error: unknown): StepFailed {
  if (error instanceof Failure) return new StepFailed(error.message, [], error)
  if (isDiskFull(error)) return new StepFailed(fail('deployment.disk-full').message, [], error)
  deps.log.error({ err: error, actionId: action.id }, 'a step of an action failed unexpectedly')
  return new StepFailed('Something went wrong on our side', [], error)
}

function startText({ action, input }: ActionContext): string {
  if (action.fence !== '1') return 'The work on this was interrupted and is taken up again'
  if (input.kind === 'Rollback') return `Starting rollback of ${action.app_id} to revision ${input.revision}`
  if (input.kind === 'Repair') return `Looking for what holds the release of ${action.app_name}`
  if (input.kind === 'ChangeWorkload') return `Changing ${input.change.kind} ${input.change.name}`
  if (input.kind === 'Delete') return `Starting to delete ${action.app_name}`
  if (input.kind === 'DeleteSpace') return `Starting to delete the space ${action.app_name}`
  if (input.kind === 'DeregisterCluster') return `Starting to deregister the cluster ${action.app_name}`
  if (input.kind === 'LeaveCluster')
    return `Starting to remove what the space ${action.app_name} has on ${action.cluster_name}`
  return `Starting to ${action.kind} App ...... (This can take a while)`
}

function contextOf(
  deps: DeploymentDeps,
  action: ActionRow,
  { stops, helmPlaces, moveToWaiting }: Replica,
  onLost: () => void,
): ActionContext {
  const ledger = createActionLedger(deps, action)
  const secrets = createRunSecrets()
  const journal = createJournal(ledger.append, onLost, deps.log)
  journal.hide(secrets.hide)
  const facts = {
    deps,
    action: Object.freeze(action),
    input: decryptInput(deps.encryption, action),
    journal,
    ledger,
    signal: stops.abort.signal,
    waiting: AbortSignal.any([stops.abort.signal, stops.cancelling.signal]),
    aborting: stops.aborting.signal,
    secrets,
    helmPlaces,
    moveToWaiting,
  }
  return Object.freeze({ ...facts, mustStillBeAllowed: createAllowance(facts) })
}
