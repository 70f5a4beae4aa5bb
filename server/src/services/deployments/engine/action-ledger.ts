import type { ActionState } from '@quayside/contract/deployments/endpoints'
import type { Waiting } from '@quayside/contract/live/live'
import { storedJson } from '../../../platform/db/stored-json.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { NewEvent } from '../ledger/event-store.ts'
import type { ActionRow } from '../tables.ts'
import { Cancelled, LeaseLostError } from './action-context.ts'
import { append, type Ending, finish, hasEnded, startHelm, write, writeAndNote } from './lease-store.ts'
import { secondsAway } from './unknown-store.ts'

/** Columns of an action's row that change while somebody works on it. */
type Progress = Pick<
  ActionRow,
  'state' | 'attempt' | 'base_revision' | 'release_objects' | 'iam_result' | 'unreachable_since' | 'prepared'
>

/**
 * The row of one action while this replica works on it. Nothing else writes the row then, and each write holds only as
 * long as the fence does. @throws LeaseLostError when somebody else has the action by now
 */
export interface ActionLedger {
  /** The row as this replica has written it last. */
  now(): Readonly<Progress>
  change(columns: Partial<Omit<Progress, 'state' | 'attempt'>>): Promise<void>
  /** Shows where the action is. @throws Cancelled when nobody wants it any more */
  enter(state: ActionState): Promise<void>
  /** Counts a start of Helm and takes one of the places of all replicas; `full` when none is free. @throws Cancelled */
  startHelm(baseRevision: number, places: number): Promise<'started' | 'full'>
  /** Another Helm may be started: this one has written its release, and only waits. */
  freeHelmPlace(): Promise<void>
  /** A start of Helm that could write nothing does not count as one, for another replica neither. */
  uncountStart(): Promise<void>
  /** Seconds since the cluster of the action was first found away. */
  clusterIsAway(): Promise<number>
  /** The next absence of the cluster is another one. */
  clusterIsBack(): Promise<void>
  /** Shows those who watch now which objects Helm waits for. */
  showWaiting(state: Pick<Waiting, 'ready' | 'total' | 'objects'>): Promise<void>
  /** False, with nothing written, when the fence does not hold. */
  append(events: readonly NewEvent[]): Promise<boolean>
  finish(ending: Ending): Promise<boolean>
  /** Tells whether it was ended under this fence. */
  hasEnded(): Promise<boolean>
}

export function createActionLedger({ db, config, live }: DeploymentDeps, action: Readonly<ActionRow>): ActionLedger {
  const { id, tenant_id, fence, release_name, last_seq } = action
  const held = { id, tenant_id, fence, release_name, last_seq }
  let progress: Readonly<Progress> = action

  /** Remembers the columns even when the write fails: nobody knows then whether it was done. */
  async function change(columns: Partial<Progress>): Promise<void> {
    progress = { ...progress, ...columns }
    if (!(await write(db, held, columnsOf(columns)))) throw new LeaseLostError('the lease is lost')
  }

  return {
    now: () => progress,
    change,
    async enter(state) {
      if (progress.state === state) return
      progress = { ...progress, state }
      // The steps after Helm do not need its place, so another action gets it.
      const columns = { state, helm_place: false, ...(state === 'verifying' ? { waiting: null } : {}) }
      const standing = await writeAndNote(db, held, columns)
      if (!standing) throw new LeaseLostError('the lease is lost')
      if (standing.cancelled_by !== null) throw new Cancelled('cancelled')
      if (action.kind !== 'Prepare') live.changed(tenant_id, 'actions', id, action.space_id ?? undefined)
    },
    async startHelm(baseRevision, places) {
      const attempt = await startHelm(db, held, { baseRevision, places, leaseSeconds: config.leaseSeconds })
      if (attempt === undefined) throw new LeaseLostError('the lease is lost')
      if (attempt === 'cancelled') throw new Cancelled('cancelled')
      if (attempt === 'full') return 'full'
      progress = { ...progress, attempt, base_revision: progress.base_revision ?? baseRevision }
      return 'started'
    },
    async freeHelmPlace() {
      await write(db, held, { helm_place: false })
    },
    uncountStart: () => change({ attempt: progress.attempt - 1 }),
    async clusterIsAway() {
      progress = { ...progress, unreachable_since: progress.unreachable_since ?? new Date() }
      return secondsAway(db, held)
    },
    async clusterIsBack() {
      if (progress.unreachable_since !== null) await change({ unreachable_since: null })
    },
    async showWaiting(state) {
      await writeAndNote(db, held, { waiting: storedJson(state) })
    },
    append: (events) => append(db, held, events),
    finish: (ending) => finish(db, { ...action, ...held }, ending),
    hasEnded: () => hasEnded(db, held),
  }
}

/** Columns as PostgreSQL takes them: JSON as text. */
function columnsOf({ iam_result, release_objects, ...rest }: Partial<Progress>) {
  const json = (value: unknown) => (value === null ? null : storedJson(value))
  return {
    ...rest,
    ...(iam_result === undefined ? {} : { iam_result: json(iam_result) }),
    ...(release_objects === undefined ? {} : { release_objects: json(release_objects) }),
  }
}
