import type { Logger } from '../../../platform/logging/logger.ts'
import { keyOf } from '../outside/outside-objects.ts'
import { type HeldStore, placeOfRow } from '../outside/rights/held-store.ts'
import type { Connections } from '../registry/connections.ts'
import type { LeftObject } from '../removal/leftovers.ts'
import { lookForLeftovers, stillThere } from '../removal/look-for-leftovers.ts'
import { orphansOf, unreadableOf } from '../removal/orphans.ts'
import { type ObjectName, type Remaining, remaining } from '../removal/remaining.ts'
import type { WatchCaches } from '../workloads/watch-cache.ts'
import type { ReleaseRef } from './release-ref.ts'
import { type Releases, revisionOf, setReleaseStatus, setRevisionAside } from './releases.ts'
import { type MoreOfWatch, type WaitingState, watchRelease } from './watch-release.ts'

interface ReleaseCallsDeps {
  connections: Pick<Connections, 'to'>
  releases: Releases
  watchCaches: WatchCaches
  held: Pick<HeldStore, 'held'>
  log: Logger
}

/** Calls about single releases, for deployments. Each throws `cluster.unreachable` when the cluster is away. */
export function createReleaseCalls(deps: ReleaseCallsDeps) {
  const { connections, releases } = deps
  const to = ({ tenantId, clusterId }: ReleaseRef) => connections.to(tenantId, clusterId)
  const historyOf = async (ref: ReleaseRef) => releases.history(await to(ref), ref.namespace, ref.releaseName)

  return {
    /** All revisions that can be read, newest first; none when there is no such release. */
    readRelease: async (ref: ReleaseRef) => (await historyOf(ref)).revisions,

    /** The same, with the numbers of the revisions that cannot be read. */
    async readHistory(ref: ReleaseRef) {
      const { revisions, unreadable } = await historyOf(ref)
      return { revisions, unreadable: unreadable.map(revisionOf) }
    },

    setRevisionAside: async (ref: ReleaseRef, revision: number): Promise<boolean> =>
      setRevisionAside(await to(ref), ref.namespace, ref.releaseName, revision),

    /** The objects of a release that are still there, and the finalizers that hold them. */
    remaining: async (ref: ReleaseRef, objects: readonly ObjectName[]): Promise<Remaining[]> =>
      remaining(await to(ref), ref, objects),

    setReleaseStatus: async (ref: ReleaseRef, change: Parameters<typeof setReleaseStatus>[3]): Promise<boolean> =>
      setReleaseStatus(await to(ref), ref.namespace, ref.releaseName, change),

    watchRelease: (ref: ReleaseRef, onWaiting: (state: WaitingState) => void, more?: MoreOfWatch) =>
      watchWhenConnected(deps, ref, onWaiting, more),

    /** Objects that uninstalling leaves; for a release that is gone already, those still there, `earlier` included. */
    async leftovers(
      ref: ReleaseRef,
      { crds, earlier }: { crds: readonly string[]; earlier: readonly LeftObject[] },
    ): Promise<LeftObject[]> {
      const [connection, history] = [await to(ref), await historyOf(ref)]
      const [release] = history.revisions
      const unreadable = unreadableOf(history)
      if (release) {
        const rows = await deps.held.held(ref)
        const held = new Set(rows.map((row) => keyOf(placeOfRow(row))))
        return [...(await lookForLeftovers(connection, { place: ref, release, crds, held })), ...unreadable]
      }
      const [known, orphans] = await Promise.all([
        stillThere(connection, earlier),
        orphansOf(connection, ref.namespace, ref.releaseName),
      ])
      return [...new Map([...known, ...unreadable, ...orphans].map((one) => [one.uid, one])).values()]
    },
  }
}

function watchWhenConnected(
  { connections, watchCaches, releases, log }: ReleaseCallsDeps,
  { tenantId, clusterId, namespace, releaseName }: ReleaseRef,
  onWaiting: (state: WaitingState) => void,
  more?: MoreOfWatch,
): { stop(): void } {
  let stopped = false
  let watching: { stop(): void } | undefined
  connections
    .to(tenantId, clusterId)
    .then((connection) => {
      if (stopped) return
      const place = { clusterId, connection, namespace, releaseName }
      watching = watchRelease({ watchCaches, releases, log }, place, onWaiting, more)
    })
    // The lines about waiting are only a convenience: the deployment goes on without them.
    .catch((error: unknown) => log.warn({ err: error, releaseName }, 'a release could not be watched'))
  return {
    stop() {
      stopped = true
      watching?.stop()
    },
  }
}
