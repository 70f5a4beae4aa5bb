import type { ClusterConnection } from '../../../../adapters/kubernetes/kubernetes.ts'
import { removeOwn } from '../../../../adapters/kubernetes/space/portal-namespace.ts'
import { accountOfAction } from '../../../../adapters/kubernetes/space/space-identity.ts'
import { Failure } from '../../../../platform/http/errors.ts'
import type { Logger } from '../../../../platform/logging/logger.ts'
import type { ClusterPorts } from '../../ports.ts'
import type { Connections } from '../../registry/connections.ts'
import type { Releases } from '../../releases/releases.ts'
import type { ClusterRow, Store } from '../../store.ts'
import { fieldsOf } from '../../workloads/fields.ts'
import { cleanText } from '../../workloads/foreign-text.ts'
import {
  clusterRoleBindings,
  foreignBindings,
  heldKey,
  listBindings,
  type SpacePlace,
} from '../judging/foreign-bindings.ts'
import { removeLastingTokens } from '../judging/lasting-secrets.ts'
import type { ActionRights } from './action-rights.ts'
import type { HeldStore } from './held-store.ts'
import type { IsolationStore } from './isolation-store.ts'
import { unlockForgotten } from './locked-revisions.ts'
import type { OutsideRights } from './outside-rights.ts'

interface ReconcilerDeps {
  clusters: Pick<Store, 'everyone'>
  connections: Connections
  isolation: IsolationStore
  held: HeldStore
  rights: ActionRights
  releases: Pick<Releases, 'history'>
  outsideRights: Pick<OutsideRights, 'forgetIfGone'>
  ports: Pick<ClusterPorts, 'space' | 'actionsAtWork'>
  log: Logger
}

/**
 * Brings clusters to what the tables say: levels and network policies of spaces, bindings of accounts, rights of actions
 * that have ended, and what versions before this one left. What a cluster that is away misses, it gets at the next pass.
 */
export function createReconciler(deps: ReconcilerDeps) {
  const { clusters, connections, isolation, held, rights, outsideRights, ports, log } = deps

  /** One space: what became of it stands beside its settings. */
  async function space(row: ClusterRow, spaceId: string): Promise<void> {
    const found = await ports.space(row.tenant_id, spaceId)
    if (!found) return
    const key = { tenant_id: row.tenant_id, cluster_id: row.id, space_id: spaceId }
    try {
      // A space without a namespace here gets all of it with its first deployment.
      const there = await connections.ofRow(row).get('v1/namespaces', undefined, found.namespace)
      if (there) await connections.ensureSpace(row, { namespace: found.namespace, spaceId })
      await isolation.change(key, { applied: there ? true : null, message: null })
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      await isolation.change(key, { applied: false, message: cleanText(error.message, 500) })
    }
  }

  async function actionRights(row: ClusterRow, connection: ClusterConnection): Promise<void> {
    const rows = await held.allRights(row.id)
    const atWork = await ports.actionsAtWork(
      row.tenant_id,
      rows.map(({ action_id }) => action_id),
    )
    for (const one of rows) if (!atWork.has(one.action_id)) await rights.revoke(one)
    await rights.sweep(connection, { tenantId: row.tenant_id, clusterId: row.id })
  }

  /** Objects that somebody has deleted are held by nobody; of releases that just change, their action knows better. */
  async function heldObjects(row: ClusterRow, connection: ClusterConnection): Promise<void> {
    const busy = new Set((await held.allRights(row.id)).map(({ namespace }) => namespace))
    for (const one of await held.releasesHold(row.id))
      if (!busy.has(one.namespace)) await outsideRights.forgetIfGone(connection, one)
    await held.forgetGone({ tenantId: row.tenant_id, clusterId: row.id })
  }

  async function cluster(row: ClusterRow): Promise<void> {
    const connection = connections.ofRow(row)
    await actionRights(row, connection)
    await formerBindings(connection)
    await connection.endSpaces(row.tenant_id)
    for (const { space_id } of await isolation.all(row.tenant_id, row.id)) await space(row, space_id)
    await heldObjects(row, connection)
    await bindingsOfOthers(held, row, connection, await placesOn(deps, row))
    const places = await placesOn(deps, row)
    await lastingTokens(deps, row, connection, places)
    await forgottenLocks(deps, row, connection, places)
  }

  async function guarded(row: ClusterRow): Promise<void> {
    await cluster(row).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error
      log.warn({ err: error, clusterId: row.id }, 'a cluster could not be brought to what it should be')
    })
  }

  return {
    space,
    /** After a change of settings: returns when the cluster has it, or does not answer. */
    cluster: guarded,
    async pass(): Promise<void> {
      for (const row of await clusters.everyone()) await guarded(row)
    },
  }
}

/** Versions before this one gave deploying accounts the whole cluster, those of spaces that were deleted among them. */
async function formerBindings(connection: ClusterConnection): Promise<void> {
  const labelSelector = 'app.kubernetes.io/managed-by=quayside'
  for (const binding of await connection.list(clusterRoleBindings, { labelSelector }))
    if (fieldsOf(binding.roleRef).name === 'cluster-admin' && /^quayside:/.test(binding.metadata.name))
      await removeOwn(connection, clusterRoleBindings, undefined, binding.metadata.name)
}

/** Bindings to accounts of spaces from people or older versions: the space is elevated while they exist. */
async function bindingsOfOthers(
  held: HeldStore,
  row: ClusterRow,
  connection: ClusterConnection,
  places: readonly SpacePlace[],
): Promise<void> {
  const bindings = await listBindings(connection)
  const ofReleases = (await held.releasesHold(row.id)).filter(({ kind }) => kind === 'ClusterRoleBinding')
  const known = new Set(ofReleases.map(({ space_id, name }) => heldKey(space_id, name)))
  const found = foreignBindings(bindings, places, known)
  await held.setForeign({ tenantId: row.tenant_id, clusterId: row.id }, found)
}

async function lastingTokens(
  { releases, log }: Pick<ReconcilerDeps, 'releases' | 'log'>,
  row: ClusterRow,
  connection: ClusterConnection,
  places: readonly SpacePlace[],
): Promise<void> {
  for (const { spaceId, namespace } of places) {
    const removed = await removeLastingTokens(connection, releases, namespace)
    if (removed.length > 0)
      log.info({ clusterId: row.id, spaceId, namespace, removed }, 'tokens without an end were removed from a space')
  }
}

/** Marks of actions that have a record go with that; one without a record would keep a release from being upgraded for good. */
async function forgottenLocks(
  { held, log }: Pick<ReconcilerDeps, 'held' | 'log'>,
  row: ClusterRow,
  connection: ClusterConnection,
  places: readonly SpacePlace[],
): Promise<void> {
  // By every registration, because a cluster may be registered twice.
  const accounts = async () =>
    new Set((await held.allRights()).map(({ space_id, action_id }) => accountOfAction(space_id, action_id)))
  for (const { spaceId, namespace } of places) {
    const unlocked = await unlockForgotten(connection, namespace, accounts)
    if (unlocked.length > 0)
      log.info({ clusterId: row.id, spaceId, namespace, unlocked }, 'revisions that nobody rolls back to were unlocked')
  }
}

async function placesOn(
  { isolation, ports }: Pick<ReconcilerDeps, 'isolation' | 'ports'>,
  row: ClusterRow,
): Promise<SpacePlace[]> {
  const places: SpacePlace[] = []
  for (const { space_id: spaceId } of await isolation.all(row.tenant_id, row.id)) {
    const found = await ports.space(row.tenant_id, spaceId)
    if (found) places.push({ spaceId, namespace: found.namespace })
  }
  return places
}
