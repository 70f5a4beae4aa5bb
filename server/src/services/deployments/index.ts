import type { App } from '@quayside/contract/apps/endpoints'
import type { DeletionAccepted } from '@quayside/contract/deployments/deletion'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Reader } from '../../platform/auth/reader.ts'
import type { UnitOfWork } from '../../platform/db/unit-of-work.ts'
import { commandOf, knownByKey } from './commands/accept.ts'
import { deleteSpace, deregisterCluster, leaveCluster } from './commands/clear.ts'
import { mustMayStartPods } from './commands/elevation.ts'
import type { DeploymentDeps } from './deps.ts'
import { createWorker } from './engine/worker.ts'
import { type EndedAction, findEnded } from './ledger/ended.ts'
import { type FailedAction, type FailureReader, findFailures } from './ledger/failures.ts'
import { type AppMarker, findMarkers, type MarkerRange } from './ledger/markers.ts'
import { findOutcomes, type OutcomeRange, type Outcomes } from './ledger/outcomes.ts'
import { countUnended, type OpenActions } from './ledger/unended.ts'
import { createSockets, type Sockets } from './live/sockets.ts'
import type { ReleaseRevision, WorkloadChange } from './ports.ts'
import { redactorOf } from './releases/release-text.ts'
import { findBegun, findLeaving, findUnended } from './store.ts'
import type { ActionRow } from './tables.ts'
import { type Rendered, renderValues } from './validation/render-values.ts'
import { createValidate, type Validate } from './validation/validate.ts'
import { forgetPresets } from './values/preset-store.ts'
import { changeWorkload } from './workloads/change-workload.ts'

/** The ledger of deployment actions, the worker that carries them out, and the sockets that tell of them. */
export interface Deployments {
  deps: DeploymentDeps
  validate: Validate
  news: Sockets['news']
  /** A function that hides the secrets of a release in any text. */
  redactor(tenantId: string, appId: string, release: ReleaseRevision): Promise<(text: string) => string>
  /** The given apps whose release an action works on, or has worked on with a Helm that may have written. */
  begun(tenantId: string, appIds: string[]): Promise<Set<string>>
  /** The given actions that have not ended. */
  atWork(tenantId: string, actionIds: readonly string[]): Promise<Set<string>>
  /** How many actions of all tenants have not ended, by kind and state. */
  unended(): Promise<OpenActions[]>
  /** How the actions that a reader sees ended, counted over time. */
  outcomes(reader: Reader, range: OutcomeRange): Promise<Outcomes[]>
  failures(concerned: FailureReader, range: { days: number; limit: number }): Promise<FailedAction[]>
  /** Actions that have failed by themselves, and deployments that have succeeded, since then, in order, some at a time. */
  endedSince(tenantId: string, since: Date): AsyncIterable<EndedAction[]>
  /** The objects that values of a version make of an app; nothing is applied. */
  render(actor: Actor, versionId: string, body: Parameters<Validate>[2]): Promise<Rendered>
  /** The actions that changed what runs of an app, for whoever may see the app. */
  markers(tenantId: string, range: MarkerRange): Promise<AppMarker[]>
  /** Scales, limits or restarts a running workload of an app. */
  changeWorkload(actor: Actor, appId: string, change: WorkloadChange, request: Headers): Promise<DeletionAccepted>
  /** Throws when somebody lacks a right that pods of the space of an app ask for. */
  mustMayStartPods(actor: Actor, app: Pick<App, 'spaceId' | 'clusterId'>): Promise<void>
  /** Throws when deployments in a space are frozen and somebody is not exempt. */
  mustNotBeFrozen(actor: Actor, spaceId: string): Promise<void>
  leaveCluster(actor: Actor, place: { spaceId: string; clusterId: string }): Promise<DeletionAccepted>
  deleteSpace(actor: Actor, spaceId: string, request: Headers): Promise<DeletionAccepted>
  /** Answers the same command that was accepted before, when the space is gone already; undefined when none was. */
  deletedSpace(actor: Actor, spaceId: string, request: Headers): Promise<DeletionAccepted | undefined>
  deregisterCluster(
    actor: Actor,
    which: { clusterId: string; forget: boolean },
    request: Headers,
  ): Promise<DeletionAccepted>
  /** In the transaction that deletes a space: its presets go with it. */
  forgetPresets(work: UnitOfWork, spaceId: string): Promise<void>
  /** Clusters from which what a space has there is just being removed. */
  leaving(work: UnitOfWork, spaceId: string): Promise<ReadonlySet<string>>
  /** Goes on with what was under way, and begins to claim. */
  start(): Promise<void>
  /** Stops claiming, lets what runs end for a while, and hands the rest over to other replicas or the next start. */
  drain(maxWaitMs: number): Promise<void>
  close(): Promise<void>
}

type Headers = Parameters<typeof commandOf>[3]
const toAccepted = ({ id, state }: ActionRow): DeletionAccepted => ({ actionId: id, state })

export async function createDeployments(deps: DeploymentDeps): Promise<Deployments> {
  const sockets = await createSockets(deps)
  const worker = createWorker(deps)
  return {
    deps,
    validate: createValidate(deps),
    news: sockets.news,
    unended: () => countUnended(deps.db),
    outcomes: (reader, range) => findOutcomes(deps.db, reader, range),
    failures: (concerned, range) => findFailures(deps.db, concerned, range),
    endedSince: (tenantId, since) => findEnded(deps.db, tenantId, since),
    render: (actor, versionId, body) => renderValues(deps, actor, versionId, body),
    markers: (tenantId, range) => findMarkers(deps.db, tenantId, range),
    redactor: (tenantId, appId, release) => redactorOf(deps, tenantId, appId, release),
    begun: (tenantId, appIds) => findBegun(deps.db, tenantId, appIds),
    atWork: (tenantId, actionIds) => findUnended(deps.db, tenantId, actionIds),
    changeWorkload: async (actor, appId, change, request) =>
      toAccepted(
        await changeWorkload(deps, commandOf('ChangeWorkload', actor, { appId, change }, request), appId, change),
      ),
    mustMayStartPods: ({ tenantId, userId }, { spaceId, clusterId }) =>
      mustMayStartPods(deps, { who: { tenantId, userId, spaceId }, clusterId }),
    mustNotBeFrozen: (actor, spaceId) => deps.spaces.mustNotBeFrozen(actor, spaceId),
    leaveCluster: async (actor, place) =>
      toAccepted(await leaveCluster(deps, commandOf('LeaveCluster', actor, place, { headers: {} }), place)),
    deleteSpace: async (actor, spaceId, request) =>
      toAccepted(await deleteSpace(deps, commandOf('DeleteSpace', actor, { spaceId }, request), spaceId)),
    async deletedSpace(actor, spaceId, request) {
      const known = await knownByKey(deps, commandOf('DeleteSpace', actor, { spaceId }, request))
      return known && toAccepted(known)
    },
    deregisterCluster: async (actor, which, request) =>
      toAccepted(await deregisterCluster(deps, commandOf('DeregisterCluster', actor, which, request), which)),
    forgetPresets,
    leaving: findLeaving,
    start: worker.start,
    drain: worker.stop,
    close: sockets.close,
  }
}
