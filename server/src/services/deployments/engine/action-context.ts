import type { MessageType, ResultLine } from '@quayside/contract/deployments/endpoints'
import type { CommandInput } from '../commands/command-input.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { Journal } from '../ledger/journal.ts'
import type { RunSecrets } from '../secrets/run-secrets.ts'
import type { ActionRow } from '../tables.ts'
import type { ActionLedger } from './action-ledger.ts'
import type { HelmPlaces } from './helm-places.ts'

/**
 * One replica's work on an action, from the claim to the end. None of it is replaced on the way: what a step finds it
 * returns (`steps/findings.ts`), and what changes in the action's row changes through the ledger.
 */
export interface ActionContext {
  readonly deps: DeploymentDeps
  /** The action when it was claimed; `fence` stays the same from then on. */
  readonly action: Readonly<ActionRow>
  readonly input: CommandInput
  readonly journal: Journal
  /** The action's row in the ledger, and the one way to change it. */
  readonly ledger: ActionLedger
  /** Aborted when the lease is lost or this replica has to stop. */
  readonly signal: AbortSignal
  /** Aborted then, too, and when somebody has cancelled the action: for whatever only waits. */
  readonly waiting: AbortSignal
  /** Aborted when somebody wants Helm to be ended; the reason is an `Aborted`. */
  readonly aborting: AbortSignal
  /** Secret values learnt so far, and the functions that hide them. */
  readonly secrets: RunSecrets
  /** Places for running Helm. */
  readonly helmPlaces: HelmPlaces
  /** Says that the action only waits for its objects from now on, so that another one is begun. */
  moveToWaiting(): void
  /** Asks, unless it was asked a moment ago. @throws NoLongerAllowed */
  mustStillBeAllowed(): Promise<void>
}

/** The action cannot succeed any more; its lines say why to people. */
export class StepFailed extends Error {
  override name = 'StepFailed'
  readonly lines: ResultLine[]

  constructor(message: string, lines: ResultLine[] = [], cause?: unknown) {
    super(message, { cause })
    this.lines = lines
  }
}

/** This replica must not go on: somebody else has the action, or will. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

/**
 * Somebody has cancelled the action while no Helm was started for it: it ends here, as whoever works on it takes it
 * back.
 */
export class Cancelled extends Error {
  override name = 'Cancelled'
}

/** Somebody has ended the Helm of the action: what it left is read back, and told. */
export class Aborted extends Error {
  override name = 'Aborted'
  readonly who: string

  constructor(who: string) {
    super(`Aborted by ${who}`)
    this.who = who
  }
}

/** Ends an action before Helm was started for it, because its starter has lost the right to it. */
export class NoLongerAllowed extends Error {
  override name = 'NoLongerAllowed'
}

export function mustGoOn(context: Pick<ActionContext, 'signal' | 'waiting'>): void {
  if (context.signal.aborted) throw new LeaseLostError('halted')
  if (context.waiting.aborted) throw whyStopped(context.waiting)
}

/** The reason why a wait ended. */
export function whyStopped({ reason }: AbortSignal): LeaseLostError | Cancelled | Aborted {
  return reason instanceof Cancelled || reason instanceof Aborted ? reason : new LeaseLostError('halted')
}

/** The wish that Helm be ended; null while nobody has it. */
export function abortOf({ aborting }: Pick<ActionContext, 'aborting'>): Aborted | null {
  return aborting.aborted && aborting.reason instanceof Aborted ? aborting.reason : null
}

/** Waits for a while, no longer than until Helm is to be ended. */
export async function pauseUnlessAborted(
  milliseconds: number,
  { waiting, aborting }: Pick<ActionContext, 'waiting' | 'aborting'>,
): Promise<void> {
  await pause(milliseconds, AbortSignal.any([waiting, aborting])).catch((error: unknown) => {
    if (!(error instanceof Aborted)) throw error
  })
}

/** Resolves after a while, rejects with LeaseLostError or Cancelled as soon as the work has to stop. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(whyStopped(signal))
    const onAbort = () => {
      clearTimeout(timer)
      reject(whyStopped(signal))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    }, milliseconds)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}

const messageTypes = {
  Assign: 'assign',
  Prepare: 'prepare',
  Deploy: 'deploy',
  Upgrade: 'upgrade',
  Rollback: 'rollback',
  Delete: 'delete',
  Repair: 'helm',
  ChangeWorkload: 'deploy',
  DeleteSpace: 'delete',
  DeregisterCluster: 'delete',
  LeaveCluster: 'delete',
} as const satisfies Record<ActionRow['kind'], MessageType>

/** Under which type the lines of an action of this kind go. */
export function messageType(kind: ActionRow['kind']): MessageType {
  return messageTypes[kind]
}
