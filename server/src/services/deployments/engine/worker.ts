import { randomUUID } from 'node:crypto'
import type { ActionState } from '@quayside/contract/deployments/endpoints'
import { failpoint } from '../../../platform/config/failpoints.ts'
import { unlessUnderWay } from '../../../platform/db/exclusive.ts'
import { Failure, fail, isDatabaseTrouble, isDiskFull } from '../../../platform/http/errors.ts'
import { cancelChannel } from '../commands/cancel-store.ts'
import { clearFormer } from '../commands/clear.ts'
import { decryptInput } from '../commands/command-input.ts'
import { mustStillBeAllowed } from '../commands/still-allowed.ts'
import type { DeploymentDeps } from '../deps.ts'
import { hasToldTimeout } from '../ledger/event-store.ts'
import { createJournal } from '../ledger/journal.ts'
import { forgetSome } from '../ledger/retention-store.ts'
import { createRunSecrets } from '../secrets/run-secrets.ts'
import { findAction } from '../store.ts'
import type { ActionRow } from '../tables.ts'
import { inWorker } from '../values/values-pool.ts'
import {
  type ActionContext,
  Cancelled,
  LeaseLostError,
  messageType,
  mustGoOn,
  NoLongerAllowed,
  StepFailed,
} from './action-context.ts'
import { endCancelled, endUnbegun, giveUp, succeed } from './conclude.ts'
import { inLine } from './ending.ts'
import { createHelmPlaces, type HelmPlaces } from './helm-places.ts'
import { keepLease } from './keep-lease.ts'
import { append, claim, releaseLease, renew, type Standing, unattended, writeAndNote } from './lease-store.ts'
import { declareQueues, queueOf, queues } from './queues.ts'
import { endReach } from './reach-out.ts'
import { settleUnknown } from './reconcile-unknown.ts'
import { compensate, grantStep, revokeStep } from './steps/access.ts'
import { clearStep } from './steps/clear.ts'
import { goneStep } from './steps/gone.ts'
import { helmStep } from './steps/helm.ts'
import { leftoversStep } from './steps/leftovers.ts'
import { namespaceStep } from './steps/namespace.ts'
import { prepareStep } from './steps/prepare.ts'
import { phasesOf, type StepName, stateOf } from './steps/steps.ts'

const steps: Record<StepName, (run: ActionContext) => Promise<void>> = {
  prepare: prepareStep,
  namespace: namespaceStep,
  grant: grantStep,
  helm: helmStep,
  leftovers: leftoversStep,
  gone: goneStep,
  revoke: revokeStep,
  clear: clearStep,
}

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
  stop(patienceMs: number): Promise<void>
}

export function createWorker(deps: DeploymentDeps): Worker {
  const { db, jobs, log } = deps
  const { leaseSeconds } = deps.config
  const owner = randomUUID()
  const helmPlaces = createHelmPlaces()
  const active = new Map<string, { stops: Stops; done: Promise<void> }>()
  let stopListening: (() => Promise<void>) | undefined
  let isStopping = false

  async function take(actionId: string): Promise<void> {
    if (isStopping || active.has(actionId)) return
    const action = await claim(db, actionId, owner, leaseSeconds)
    if (!action) return
    await failpoint('F4')
    if (isStopping) {
      await releaseLease(db, action)
      return
    }
    const stops = { abort: new AbortController(), cancelling: new AbortController() }
    const done = processAction(deps, action, stops, helmPlaces).catch((error: unknown) =>
      // The lease runs out and somebody takes it up again.
      log.error({ err: error, actionId }, 'an action was left where it was'),
    )
    active.set(actionId, { stops, done })
    await done
    active.delete(actionId)
  }

  /** Sends a wake-up for every action that nobody holds, on every replica; the claim lets one of them through. */
  async function recover(): Promise<void> {
    for (const action of await unattended(db, leaseSeconds)) {
      await wakeSomebody(deps, action)
      // Nobody has begun it, nor said this yet; replicas that say it at the same time say it once.
      if (action.isLate && action.fence === '0' && action.last_seq === 0 && action.kind !== 'Prepare')
        await append(db, action, [inLine(action.kind)])
    }
  }

  async function forgetOld(): Promise<void> {
    while (!isStopping && (await forgetSome(db, deps.config.ledgerDays))) await new Promise(setImmediate)
  }

  return {
    async start() {
      await declareQueues(jobs, deps.config.deployTimeoutSeconds)
      stopListening = await db.listen(cancelChannel, (id) =>
        active.get(id)?.stops.cancelling.abort(new Cancelled('cancelled')),
      )
      for (const queue of queues) await jobs.work<{ actionId: string }>(queue, ({ actionId }) => take(actionId))
      jobs.every((leaseSeconds * 1000) / roundsPerLease, recover)
      jobs.every(settleEveryMs, () => settleUnknown(deps))
      jobs.every(clearEveryMs, () => unlessUnderWay(db.pool, 'former spaces', () => clearFormer(deps)))
      jobs.every(forgetEveryMs, forgetOld)
    },
    async stop(patienceMs) {
      isStopping = true
      await jobs.stopClaiming()
      const all = Promise.all([...active.values()].map((each) => each.done))
      await Promise.race([all, new Promise((resolve) => setTimeout(resolve, patienceMs).unref())])
      for (const { stops } of active.values()) stops.abort.abort()
      await all
      await stopListening?.()
    },
  }
}

async function wakeSomebody({ db, jobs }: DeploymentDeps, action: Pick<ActionRow, 'id' | 'tenant_id' | 'kind'>) {
  const data = { actionId: action.id, tenantId: action.tenant_id }
  await db.platform((trx) => jobs.send(trx, queueOf(action.kind), action.id, data))
}

interface Stops {
  /** This replica must not go on. */
  abort: AbortController
  /** The action is not wanted any more. */
  cancelling: AbortController
}

/** From the claim to the end, or to where this replica has to let go. */
async function processAction(
  deps: DeploymentDeps,
  action: ActionRow,
  stops: Stops,
  helmPlaces: HelmPlaces,
): Promise<void> {
  const { abort, cancelling } = stops
  const log = deps.log.child({ actionId: action.id, kind: action.kind })
  let isLost = false
  const lose = (why: string) => {
    isLost = true
    log.warn({ why }, 'the lease of an action is lost')
    abort.abort()
  }
  const { leaseSeconds } = deps.config
  /** Passes a cancellation on; whether the lease is still held. */
  const heldAfter = (standing: Standing | undefined) => {
    if (typeof standing?.cancelled_by === 'string') cancelling.abort(new Cancelled('cancelled'))
    return standing !== undefined
  }
  heldAfter(action)
  const beat = async () => heldAfter(await renew(deps.db, action, leaseSeconds))
  const stopKeeping = keepLease(leaseSeconds, beat, lose, log)
  const run = runOf(deps, action, stops, helmPlaces, () => lose('somebody else writes its log'))
  try {
    await work(run)
    await failpoint('F21')
  } catch (error) {
    if (!(error instanceof LeaseLostError) && !abort.signal.aborted) {
      // The database may answer again by now: with the lease released, the next worker need not wait until it ends.
      try {
        await writeRest(run, () => !isLost)
        await releaseLease(deps.db, action)
      } catch (second) {
        log.warn({ err: second }, 'an action was not let go, its lease runs out')
      }
      throw error
    }
    if (isLost) return
    const until = performance.now() + mostOfStopMs
    await writeRest(run, () => !isLost && performance.now() < until)
    if (await releaseLease(deps.db, action)) await wakeSomebody(deps, action)
  } finally {
    stopKeeping()
    await run.journal.takeRest()
  }
}

/** The lines that are left are as good as those before: a database that is away for a moment must not lose them. */
async function writeRest({ deps, action, journal }: ActionContext, mayWait: () => boolean): Promise<void> {
  const rest = await journal.takeRest()
  for (;;) {
    try {
      await append(deps.db, action, rest)
      return
    } catch (error) {
      if (!isDatabaseTrouble(error) || !mayWait()) throw error
      await new Promise((resolve) => setTimeout(resolve, writeAgainMs))
    }
  }
}

async function work(run: ActionContext): Promise<void> {
  const { action, input } = run
  // Secrets are known before the first line of the log is written.
  if (input.kind === 'Deploy' || input.kind === 'Upgrade') run.learnSecrets(await inWorker('hidden', input))
  if (action.kind !== 'Prepare') run.journal.say(messageType(action.kind), startText(run))
  const isTakenOver = action.fence !== '1'
  if (isTakenOver) {
    run.helm.timedOut = await hasToldTimeout(run.deps.db, action)
    // The worker that had the action before may have been killed while the action held rights on the cluster.
    await endReach(run)
  }
  try {
    await mustStillBeAllowed(run)
    for (const phase of phasesOf(action.kind, action.release_name !== null)) {
      mustGoOn(run)
      await mustStillBeAllowed(run)
      await run.enter(stateOf(phase))
      await allOf(phase.map((step) => steps[step](run)))
      if (action.kind === 'Delete' && phase.includes('helm')) await failpoint('F22')
      if (action.kind === 'Delete' && phase.includes('revoke')) await failpoint('F23')
    }
  } catch (error) {
    if (error instanceof LeaseLostError || run.signal.aborted) throw error
    // Also when a step has failed meanwhile: nobody wants to hear of it any more.
    if (error instanceof Cancelled || run.waiting.aborted) return rollBackSteps(run)
    if (error instanceof NoLongerAllowed)
      return endUnbegun(run, error.message, 'error', await compensate(run, 'cancelled'))
    if (isDatabaseTrouble(error) && Number(action.fence) < mostClaimsOnErrors) throw error
    const isKnown = error instanceof StepFailed || error instanceof Failure || isDiskFull(error)
    if (!isKnown && Number(action.fence) < mostGoes) throw error
    const failure = error instanceof StepFailed ? error : unexpected(run, error)
    await compensate(run, 'failed')
    await giveUp(run, failure)
    return
  }
  await succeed(run)
}

async function rollBackSteps(run: ActionContext): Promise<void> {
  const { deps, action } = run
  const isTakenBack = await compensate(run, 'cancelled')
  const row = await findAction(deps.db, action.tenant_id, action.id)
  await endCancelled(run, row?.cancelled_by ?? 'somebody', isTakenBack)
}

/** Waits for every step even when one fails: only then is it known what has to be taken back. */
async function allOf(running: Promise<void>[]): Promise<void> {
  await Promise.allSettled(running)
  await Promise.all(running)
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
  if (input.kind === 'Delete') return `Starting to delete ${action.app_name}`
  if (input.kind === 'DeleteSpace') return `Starting to delete the space ${action.app_name}`
  if (input.kind === 'DeregisterCluster') return `Starting to deregister the cluster ${action.app_name}`
  if (input.kind === 'LeaveCluster')
    return `Starting to remove what the space ${action.app_name} has on ${action.cluster_name}`
  return `Starting to ${action.kind} App ...... (This can take a while)`
}

function runOf(
  deps: DeploymentDeps,
  action: ActionRow,
  stops: Stops,
  helmPlaces: HelmPlaces,
  onLost: () => void,
): ActionContext {
  const input = decryptInput(deps.encryption, action)
  const journal = createJournal((events) => append(deps.db, action, events), onLost, deps.log)
  const secrets = createRunSecrets()
  const run: ActionContext = {
    deps,
    action,
    input,
    journal,
    signal: stops.abort.signal,
    waiting: AbortSignal.any([stops.abort.signal, stops.cancelling.signal]),
    secrets,
    hide: secrets.hide,
    learnSecrets: secrets.learn,
    async enter(state: ActionState) {
      if (action.state === state) return
      action.state = state
      // The steps after Helm do not need its place, so another action gets it.
      const change = { state, helm_place: false, ...(state === 'verifying' ? { waiting: null } : {}) }
      const standing = await writeAndNote(deps.db, action, change)
      if (!standing) throw new LeaseLostError('the lease is lost')
      if (standing.cancelled_by !== null) throw new Cancelled('cancelled')
      if (action.kind !== 'Prepare')
        deps.live.changed(action.tenant_id, 'actions', action.id, action.space_id ?? undefined)
    },
    helmPlaces,
    helm: { ran: false, timedOut: false, lastError: null, revision: null, notes: '' },
    open: [],
  }
  journal.hide(run.hide)
  return run
}
