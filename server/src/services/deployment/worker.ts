import { randomUUID } from 'node:crypto'
import type { ActionState } from '@quayside/contract/deployment'
import { helmAtOnce } from '../../adapters/helm/helm.ts'
import { Failure, fail, isDatabaseTrouble, isDiskFull } from '../../kernel/errors.ts'
import { unlessUnderWay } from '../../kernel/exclusive.ts'
import { failpoint } from '../../kernel/failpoints.ts'
import { createTurns, type Turns } from '../../kernel/turns.ts'
import { cancelChannel } from './cancel-store.ts'
import { clearFormer } from './clear.ts'
import { openInput } from './command-input.ts'
import { endCancelled, endUnbegun, giveUp, succeed } from './conclude.ts'
import type { DeploymentDeps } from './deps.ts'
import { inLine } from './ending.ts'
import { hasToldTimeout } from './event-store.ts'
import { forgetSome } from './forget-store.ts'
import { createJournal } from './journal.ts'
import { keepLease } from './keep-lease.ts'
import { append, claim, letGo, renew, type Standing, unattended, writeAndNote } from './lease-store.ts'
import { declareQueues, queueOf, queues } from './queues.ts'
import { endReach } from './reach-out.ts'
import { Cancelled, Halted, messageType, mustGoOn, NoLongerAllowed, type Run, StepFailed } from './run.ts'
import { createRunSecrets } from './run-secrets.ts'
import { settleUnknown } from './settle.ts'
import { compensate, grantStep, revokeStep } from './step-access.ts'
import { clearStep } from './step-clear.ts'
import { goneStep } from './step-gone.ts'
import { helmStep } from './step-helm.ts'
import { leftoversStep } from './step-leftovers.ts'
import { namespaceStep } from './step-namespace.ts'
import { prepareStep } from './step-prepare.ts'
import { phasesOf, type StepName, stateOf } from './steps.ts'
import { mustStillBeAllowed } from './still-allowed.ts'
import { findAction } from './store.ts'
import type { ActionRow } from './tables.ts'
import { aside } from './values-aside.ts'

const steps: Record<StepName, (run: Run) => Promise<void>> = {
  prepare: prepareStep,
  namespace: namespaceStep,
  grant: grantStep,
  helm: helmStep,
  leftovers: leftoversStep,
  gone: goneStep,
  revoke: revokeStep,
  clear: clearStep,
}

/** How often an action is begun anew after an error that nobody foresaw: what it left must be looked at, not guessed. */
const mostGoes = 5
/** A database that is away lets nobody claim; one that lets an action be claimed this often refuses only what it does. */
const mostGoesWithoutDatabase = 50
/** A replica that is to stop waits no longer than this for a database that is away. */
const mostOfStopMs = 5000
const restAgainMs = 500
/** How often each replica looks for actions that nobody holds: part of how long a takeover takes. */
const roundsPerLease = 6
const settleEveryMs = 30_000
const clearEveryMs = 5 * 60_000
const forgetEveryMs = 3_600_000

/** Works on the ledger until stopped. */
export interface Worker {
  start(): Promise<void>
  /** Claims nothing more, lets what runs end for a while, then hands it over. */
  stop(patienceMs: number): Promise<void>
}

export function createWorker(deps: DeploymentDeps): Worker {
  const { db, jobs, log } = deps
  const { leaseSeconds } = deps.config
  const owner = randomUUID()
  const turns = createTurns(helmAtOnce)
  const active = new Map<string, { stops: Stops; done: Promise<void> }>()
  let stopListening: (() => Promise<void>) | undefined
  let isStopping = false

  async function take(actionId: string): Promise<void> {
    if (isStopping || active.has(actionId)) return
    const action = await claim(db, actionId, owner, leaseSeconds)
    if (!action) return
    await failpoint('F4')
    if (isStopping) {
      await letGo(db, action)
      return
    }
    const stops = { abort: new AbortController(), cancelling: new AbortController() }
    const done = attend(deps, action, stops, turns).catch((error: unknown) =>
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
async function attend(deps: DeploymentDeps, action: ActionRow, stops: Stops, turns: Turns): Promise<void> {
  const { abort, cancelling } = stops
  const log = deps.log.child({ actionId: action.id, kind: action.kind })
  let isLost = false
  const lose = (why: string) => {
    isLost = true
    log.warn({ why }, 'the lease of an action is lost')
    abort.abort()
  }
  const { leaseSeconds } = deps.config
  const heed = (standing: Standing | undefined) => {
    if (typeof standing?.cancelled_by === 'string') cancelling.abort(new Cancelled('cancelled'))
    return standing !== undefined
  }
  heed(action)
  const beat = async () => heed(await renew(deps.db, action, leaseSeconds))
  const stopKeeping = keepLease(leaseSeconds, beat, lose, log)
  const run = runOf(deps, action, stops, turns, () => lose('somebody else writes its log'))
  try {
    await work(run)
    await failpoint('F21')
  } catch (error) {
    if (!(error instanceof Halted) && !abort.signal.aborted) {
      // Back again already, perhaps: then nobody has to wait for the lease to run out.
      try {
        await writeRest(run, () => !isLost)
        await letGo(deps.db, action)
      } catch (second) {
        log.warn({ err: second }, 'an action was not let go, its lease runs out')
      }
      throw error
    }
    if (isLost) return
    const until = performance.now() + mostOfStopMs
    await writeRest(run, () => !isLost && performance.now() < until)
    if (await letGo(deps.db, action)) await wakeSomebody(deps, action)
  } finally {
    stopKeeping()
    await run.journal.takeRest()
  }
}

/** The lines that are left are as good as those before: a database that is away for a moment must not lose them. */
async function writeRest({ deps, action, journal }: Run, mayWait: () => boolean): Promise<void> {
  const rest = await journal.takeRest()
  for (;;) {
    try {
      await append(deps.db, action, rest)
      return
    } catch (error) {
      if (!isDatabaseTrouble(error) || !mayWait()) throw error
      await new Promise((resolve) => setTimeout(resolve, restAgainMs))
    }
  }
}

async function work(run: Run): Promise<void> {
  const { action, input } = run
  // Before anything is said.
  if (input.kind === 'Deploy' || input.kind === 'Upgrade') run.learnSecrets(await aside('hidden', input))
  if (action.kind !== 'Prepare') run.journal.say(messageType(action.kind), startText(run))
  if (action.fence !== '1') {
    run.helm.timedOut = await hasToldTimeout(run.deps.db, action)
    // Whoever had it before may have been killed while it held rights on the cluster.
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
    if (error instanceof Halted || run.signal.aborted) throw error
    // Also when a step has failed meanwhile: nobody wants to hear of it any more.
    if (error instanceof Cancelled || run.waiting.aborted) return takeBack(run)
    if (error instanceof NoLongerAllowed)
      return endUnbegun(run, error.message, 'error', await compensate(run, 'cancelled'))
    if (isDatabaseTrouble(error) && Number(action.fence) < mostGoesWithoutDatabase) throw error
    const isKnown = error instanceof StepFailed || error instanceof Failure || isDiskFull(error)
    if (!isKnown && Number(action.fence) < mostGoes) throw error
    const failure = error instanceof StepFailed ? error : unexpected(run, error)
    await compensate(run, 'failed')
    await giveUp(run, failure)
    return
  }
  await succeed(run)
}

async function takeBack(run: Run): Promise<void> {
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

function unexpected({ deps, action }: Run, error: unknown): StepFailed {
  if (error instanceof Failure) return new StepFailed(error.message, [], error)
  if (isDiskFull(error)) return new StepFailed(fail('deployment.disk-full').message, [], error)
  deps.log.error({ err: error, actionId: action.id }, 'a step of an action failed unexpectedly')
  return new StepFailed('Something went wrong on our side', [], error)
}

function startText({ action, input }: Run): string {
  if (action.fence !== '1') return 'The work on this was interrupted and is taken up again'
  if (input.kind === 'Rollback') return `Starting rollback of ${action.app_id} to revision ${input.revision}`
  if (input.kind === 'Repair') return `Looking for what holds the release of ${action.app_name}`
  if (input.kind === 'Delete') return `Starting to delete ${action.app_name}`
  if (input.kind === 'DeleteSpace') return `Starting to delete the space ${action.app_name}`
  if (input.kind === 'DeregisterCluster') return `Starting to deregister the cluster ${action.app_name}`
  return `Starting to ${action.kind} App ...... (This can take a while)`
}

function runOf(deps: DeploymentDeps, action: ActionRow, stops: Stops, turns: Turns, onLost: () => void): Run {
  const input = openInput(deps.seal, action)
  const journal = createJournal((events) => append(deps.db, action, events), onLost, deps.log)
  const secrets = createRunSecrets()
  const run: Run = {
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
      // Whatever comes after Helm, its place is free for others.
      const change = { state, helm_place: false, ...(state === 'verifying' ? { waiting: null } : {}) }
      const standing = await writeAndNote(deps.db, action, change)
      if (!standing) throw new Halted('the lease is lost')
      if (standing.cancelled_by !== null) throw new Cancelled('cancelled')
      if (action.kind !== 'Prepare')
        deps.live.changed(action.tenant_id, 'actions', action.id, action.space_id ?? undefined)
    },
    turns,
    helm: { ran: false, timedOut: false, sawAllGo: false, lastError: null, revision: null, notes: '' },
    open: [],
  }
  journal.hide(run.hide)
  return run
}
