import type { SpaceOnCluster, SpaceOnClusterPatch } from '@quayside/contract/clusters/rules'
import type { ClusterConnection } from '../../../adapters/kubernetes/kubernetes.ts'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { SpaceCondition } from '../../../platform/auth/rights.ts'
import { callers } from '../../../platform/concurrency/fair-places.ts'
import type { Db } from '../../../platform/db/db.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Live } from '../../../platform/live/live.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { ClusterPorts } from '../ports.ts'
import type { Connections } from '../registry/connections.ts'
import type { Releases } from '../releases/releases.ts'
import type { LeftObject } from '../removal/leftovers.ts'
import { type Removal, removeLeftover } from '../removal/look-for-leftovers.ts'
import type { Store } from '../store.ts'
import { createApprovalStore } from './approvals/approval-store.ts'
import { createApprovals } from './approvals/approvals.ts'
import { editorNow, mustEditForGood } from './approvals/editor-now.ts'
import { createRuleStore } from './approvals/rule-store.ts'
import { createRules } from './approvals/rules.ts'
import { groupOf } from './group-of.ts'
import { createOutside } from './outside.ts'
import { createActionRights } from './rights/action-rights.ts'
import { createHeldStore, type HeldStore } from './rights/held-store.ts'
import type { IsolationStore, SpaceOnClusterRow } from './rights/isolation-store.ts'
import { loosens } from './rights/loosens.ts'
import { createOutsideRights } from './rights/outside-rights.ts'
import { createPriorities } from './rights/priority-classes.ts'
import { createReconciler } from './rights/reconcile.ts'
import { settingsInForce } from './rights/settings-in-force.ts'
import { createWithdrawal } from './rights/withdraw-rights.ts'

export type { Asked } from './approvals/approvals.ts'
export type { OutsideVerdict, ReleaseToBe } from './outside.ts'
export type { ActionWithRights, GivenRights, RollbackTo } from './rights/outside-rights.ts'

interface OutsideOfSpacesDeps {
  releases: Releases
  db: Db
  clusters: Store
  log: Logger
  isolation: IsolationStore
  connections: Connections
  ports: Pick<
    ClusterPorts,
    'itemOf' | 'publisherNamed' | 'space' | 'actionsAtWork' | 'isRole' | 'commonRoles' | 'grantorNow'
  >
  changed: Live['changed']
  /** Runs work of a name on one replica at a time. */
  alone(name: string, work: () => Promise<void>): Promise<void>
  lowerKubeconfigs: Parameters<typeof createActionRights>[0]['lowerKubeconfigs']
}

/** The border between spaces and their clusters: what crosses it by a list or an approval, and what keeps spaces apart. */
export function createOutsideOfSpaces(deps: OutsideOfSpacesDeps) {
  const { db, clusters, releases, isolation, connections, ports, log, changed } = deps
  const rules = createRuleStore(db)
  const approvals = createApprovalStore(db)
  const held = createHeldStore(db)
  const rights = createActionRights({ connections, held, lowerKubeconfigs: deps.lowerKubeconfigs })
  const outsideRights = createOutsideRights({ connections, held, rights })
  const reconciler = createReconciler({
    clusters,
    connections,
    isolation,
    held,
    rights,
    releases,
    outsideRights,
    ports,
    log,
  })
  const withdrawal = createWithdrawal({
    ...{ clusters, rules, approvals, held, rights, log },
    alone: (work) => deps.alone('rights of actions', work),
  })
  /** Something that actions may rest on was ended. */
  const ended = () =>
    // It is about actions of all tenants, and so not the work of whoever made the call.
    callers.exit(() => {
      withdrawal.look().catch((err) => log.warn({ err }, 'rights of actions were not looked at'))
    })
  const applyTo = async (tenantId: string, clusterId: string) =>
    reconciler.cluster(await connections.row(tenantId, clusterId))
  const tellCluster = (tenantId: string, clusterId: string) => changed(tenantId, 'cluster', clusterId)

  return {
    ...createOutside({ connections, rules, approvals, held }),
    rules: createRules({
      store: rules,
      itemOf: ports.itemOf,
      publisherNamed: ports.publisherNamed,
      editorNow: editorNow(ports),
      changed: tellCluster,
      ended,
      prioritiesChanged: applyTo,
    }),
    approvals: createApprovals({
      store: approvals,
      ended,
      isRole: ports.isRole,
      commonRoles: ports.commonRoles,
      editorNow: editorNow(ports),
      changed(tenantId, id, spaceId, clusterId) {
        changed(tenantId, 'approvals', id, spaceId)
        tellCluster(tenantId, clusterId)
      },
    }),
    held,
    ...createPriorities({ rules, held, connections }),
    rights,
    ...outsideRights,
    reconciler,
    lookAtRights: withdrawal.look,
    removeLeft: removeLeft(held),

    isolation: createIsolationSettings(deps, held, reconciler, tellCluster),
    mayLoosen: loosening(deps),
    /** Applies changed isolation settings to a cluster's spaces; an unreachable cluster gets them later. */
    async isolationChanged(tenantId: string, clusterId: string): Promise<void> {
      await withdrawal.look()
      await applyTo(tenantId, clusterId)
      tellCluster(tenantId, clusterId)
    },
  }
}
/** Removes what is outside of a space as the portal, if a release of the space is known to have made it. */
const removeLeft =
  (held: HeldStore) =>
  async (
    connection: ClusterConnection,
    place: { tenantId: string; clusterId: string; namespace: string },
    left: LeftObject,
  ): Promise<Removal> => {
    const named = await held.ofName(place, { group: groupOf(left.apiVersion), kind: left.kind, name: left.name })
    // One of the same name in another namespace is another object.
    const rows = named.filter(({ object_namespace }) => object_namespace === (left.namespace ?? ''))
    if (rows.length === 0)
      return {
        refused: 'no app of this space is known to have made it; whoever looks after the cluster can remove it',
      }
    const became = await removeLeftover(connection, connection, left)
    if (became === 'removed' || became === 'gone') for (const row of rows) await held.markGone(row)
    return became
  }
export type OutsideOfSpaces = ReturnType<typeof createOutsideOfSpaces>

/** Refuses somebody who edits clusters for a while: what they open would stay open. */
function loosening({ ports }: Pick<OutsideOfSpacesDeps, 'ports'>) {
  const ask = editorNow(ports)
  return async (actor: Actor): Promise<void> =>
    mustEditForGood(await ask(actor), 'this setting would stay. Somebody who edits them without an end has to open it.')
}

/** Settings that keep a space apart on its clusters. */
function createIsolationSettings(
  { isolation, ports, connections, clusters }: OutsideOfSpacesDeps,
  held: HeldStore,
  reconciler: ReturnType<typeof createReconciler>,
  tellCluster: (tenantId: string, clusterId: string) => void,
) {
  const mayLoosen = loosening({ ports })
  return {
    async list(
      tenantId: string,
      clusterId: string,
      seen: { within?: SpaceCondition | undefined; showsApps?: SpaceCondition | undefined },
    ): Promise<SpaceOnCluster[]> {
      return Promise.all(
        (await isolation.all(tenantId, clusterId, seen)).map((row) =>
          shown({ ports, held, clusters, isolation }, tenantId, row),
        ),
      )
    },
    /** Namespaces of some spaces on a cluster. */
    async namespaces(tenantId: string, clusterId: string, within: SpaceCondition): Promise<ReadonlySet<string>> {
      const rows = await isolation.all(tenantId, clusterId, { within })
      const spaces = await Promise.all(rows.map(({ space_id }) => ports.space(tenantId, space_id)))
      return new Set(spaces.flatMap((space) => space?.namespace ?? []))
    },
    async change(
      actor: Actor,
      clusterId: string,
      spaceId: string,
      { podSecurity, network, reaches }: SpaceOnClusterPatch,
    ): Promise<SpaceOnCluster> {
      const { tenantId } = actor
      const before = await isolation.one(tenantId, clusterId, spaceId)
      if (!before) throw fail('space.not-found')
      // Settings that are left out stay as they are by then: somebody else may just be changing them.
      const change = {
        ...(podSecurity === undefined ? {} : { pod_security: podSecurity }),
        ...(network === undefined ? {} : { network }),
        ...(reaches === undefined ? {} : { reaches }),
      }
      if (loosens(isolationOf(before), isolationOf({ ...before, ...change }))) await mayLoosen(actor)
      const place = { tenant_id: tenantId, cluster_id: clusterId, space_id: spaceId }
      if (Object.keys(change).length > 0) await isolation.change(place, change)
      await reconciler.space(await connections.row(tenantId, clusterId), spaceId)
      tellCluster(tenantId, clusterId)
      const after = await isolation.one(tenantId, clusterId, spaceId)
      if (!after) throw fail('space.not-found')
      return shown({ ports, held, clusters, isolation }, tenantId, after)
    },
  }
}

const isolationOf = (row: Pick<SpaceOnClusterRow, 'pod_security' | 'network' | 'reaches'>) => ({
  podSecurity: row.pod_security,
  network: row.network,
  reaches: row.reaches,
})

type ShownDeps = Pick<OutsideOfSpacesDeps, 'ports' | 'clusters' | 'isolation'> & { held: HeldStore }

async function shown(
  { ports, held, clusters, isolation }: ShownDeps,
  tenantId: string,
  row: SpaceOnClusterRow,
): Promise<SpaceOnCluster> {
  const space = await ports.space(tenantId, row.space_id)
  return {
    space: { id: row.space_id, displayName: row.space_display_name },
    namespace: space?.namespace ?? '',
    podSecurity: row.pod_security,
    network: row.network,
    reaches: row.reaches,
    stricter: (
      await settingsInForce({ clusters, isolation }, { tenantId, clusterId: row.cluster_id, spaceId: row.space_id })
    ).stricter,
    elevatedBy: row.shows_apps
      ? row.elevated_by
      : row.elevated_by.slice(0, 1).map(() => ({ id: '', displayName: 'an app' })),
    asksFor: await held.asksFor(tenantId, row.cluster_id, row.space_id),
    applied: row.applied,
    message: row.message,
  }
}
