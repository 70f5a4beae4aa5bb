import type { ActionState, MessageType, ResultLine } from '@quayside/contract/deployments/endpoints'
import type { Waiting } from '@quayside/contract/live/live'
import type { CommandInput } from '../commands/command-input.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { Journal } from '../ledger/journal.ts'
import type { OutsideVerdict, Reached } from '../ports.ts'
import type { RunSecrets } from '../secrets/run-secrets.ts'
import type { ActionRow } from '../tables.ts'
import type { HelmPlaces } from './helm-places.ts'

/** One replica's go at an action: everything that its steps share. */
export interface ActionContext {
  deps: DeploymentDeps
  /** The action when it was claimed; `fence` stays the same from then on. */
  action: ActionRow
  input: CommandInput
  journal: Journal
  /** Aborted when the lease is lost or this replica has to stop. */
  signal: AbortSignal
  /** Aborted then, too, and when somebody has cancelled the action: for whatever only waits. */
  waiting: AbortSignal
  secrets: RunSecrets
  /** Hides every secret value learnt so far. */
  hide(text: string): string
  learnSecrets(texts: readonly string[]): void
  /** Shows in the ledger where the action is. */
  enter(state: ActionState): Promise<void>
  chartFile?: string
  /** The rendered manifest of an upgrade. */
  manifest?: string
  kubeconfig?: string
  /** The judged objects that the release needs outside of its space. */
  outside?: OutsideVerdict | undefined
  /** Fingerprint of the deployment: its package and values. */
  fingerprint?: string
  /** Reach of this start of Helm outside of the space. */
  reached?: Reached
  /** Places for running Helm. */
  helmPlaces: HelmPlaces
  helm: HelmEnd
  /** Before which start of Helm the log has said that it waits for a place. */
  saidFull?: number
  /** When it was last asked whether whoever has started this still may. */
  allowedAt?: number
  /** A grant was cut while it waited for the identity server: nobody knows how far it came. */
  isGrantCut?: boolean
  /** Objects that Helm was waiting for when it was last seen. */
  open: Waiting['objects']
}

/** The outcome of Helm's part when the action ends. */
interface HelmEnd {
  ran: boolean
  timedOut: boolean
  /** Helm's own words. */
  lastError: string | null
  revision: number | null
  /** Notes of the chart for the revision that was read back last. */
  notes: string
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

/** Ends an action before Helm was started for it, because its starter has lost the right to it. */
export class NoLongerAllowed extends Error {
  override name = 'NoLongerAllowed'
}

export function mustGoOn(run: Pick<ActionContext, 'signal' | 'waiting'>): void {
  if (run.signal.aborted) throw new LeaseLostError('halted')
  if (run.waiting.aborted) throw whyStopped(run.waiting)
}

/** The reason why a wait ended. */
export function whyStopped({ reason }: AbortSignal): LeaseLostError | Cancelled {
  return reason instanceof Cancelled ? reason : new LeaseLostError('halted')
}

/** Resolves after a while, rejects with LeaseLostError or Cancelled as soon as the run has to stop. */
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
  DeleteSpace: 'delete',
  DeregisterCluster: 'delete',
  LeaveCluster: 'delete',
} as const satisfies Record<ActionRow['kind'], MessageType>

/** Under which type the lines of an action of this kind go. */
export function messageType(kind: ActionRow['kind']): MessageType {
  return messageTypes[kind]
}
