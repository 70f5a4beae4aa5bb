import { fail } from '../../../platform/http/errors.ts'
import type { DeploymentDeps } from '../deps.ts'
import { ourOwnActor } from '../engine/reconcile-unknown.ts'
import { isBeingDeleted, knowsSpace } from '../store.ts'
import type { ActionRow } from '../tables.ts'
import { accept, type Command } from './accept.ts'

/**
 * Deletes a space that holds no apps. It is gone for everybody with the acceptance, its kubeconfigs too; what it has on
 * its clusters goes with the action. The action lies in no space: it is its starter's, and of who sees all spaces.
 */
export function deleteSpace(deps: DeploymentDeps, command: Command, spaceId: string): Promise<ActionRow> {
  const { tenantId } = command.actor
  return accept(deps, command, async () => {
    const space = await deps.spaces.record(tenantId, spaceId)
    if (!space) throw fail('space.not-found')
    const clusters = await Promise.all(space.clusterIds.map((id) => nameOf(deps, tenantId, id)))
    return {
      input: { kind: 'DeleteSpace', spaceId, namespace: space.namespace, clusters: clusters.flat() },
      about: aboutSpace(spaceId, space.displayName, space.namespace),
      also: (trx) => deps.spaces.remove(trx, tenantId, spaceId),
    }
  })
}

/**
 * Deregisters a cluster on which no apps are. Spaces do not use it from the acceptance on; its record goes with the end
 * of the action. `forget`: without asking the cluster, which never comes back.
 */
export function deregisterCluster(
  deps: DeploymentDeps,
  command: Command,
  { clusterId, forget }: { clusterId: string; forget: boolean },
): Promise<ActionRow> {
  const { tenantId } = command.actor
  return accept(deps, command, async () => {
    const cluster = await deps.clusters.record(tenantId, clusterId)
    if (!cluster) throw fail('cluster.not-found')
    await deps.clusters.mustHoldNoApps(tenantId, clusterId)
    const users = await deps.spaces.usersOf(tenantId, [clusterId])
    const namespaces = [...users.values()].map(({ namespace }) => namespace)
    return {
      input: { kind: 'DeregisterCluster', clusterId, namespaces, forget },
      about: {
        app_id: null,
        app_name: cluster.displayName,
        release_key: `cluster:${clusterId}`,
        cluster_id: clusterId,
        cluster_name: cluster.displayName,
      },
      also: (trx) => deps.spaces.leaveCluster(trx, clusterId),
    }
  })
}

/**
 * Finds what spaces have left on clusters that were deleted by a version that left it there, or while a cluster was
 * away, and deletes it by an action of the ledger like any other. Only of spaces that this ledger has known: to a portal
 * whose database is older than its clusters, spaces that were made since would look like deleted ones.
 */
export async function clearFormer(deps: DeploymentDeps): Promise<void> {
  const began = performance.now()
  for (const {
    tenantId,
    spaceId,
    namespace,
    clusterId,
    clusterName,
    isInUse,
  } of await deps.clusters.spacesOnClusters()) {
    if (await deps.spaces.record(tenantId, spaceId)) continue
    if (isInUse || !(await knowsSpace(deps.db, tenantId, { spaceId, namespace }))) {
      deps.log.warn({ clusterId, namespace, isInUse }, 'a namespace of a space that is not there is left alone')
      continue
    }
    // A deletion that ended since the clusters were asked has taken the namespace that they named.
    if (await isBeingDeleted(deps.db, tenantId, namespace, (performance.now() - began) / 1000)) continue
    try {
      await accept(deps, ourCommand(tenantId, `former-${clusterId}-${spaceId}-${thisHour()}`), async () => ({
        input: { kind: 'DeleteSpace', spaceId, namespace, clusters: [{ id: clusterId, name: clusterName }] },
        about: aboutSpace(spaceId, namespace, namespace),
      }))
    } catch (error) {
      deps.log.debug({ err: error, namespace }, 'what a space has left is not removed now')
    }
  }
}

const thisHour = () => new Date().toISOString().slice(0, 13)

function aboutSpace(spaceId: string, name: string, namespace: string) {
  return { app_id: null, app_name: name, space_name: name, namespace, release_key: `space:${spaceId}` }
}

async function nameOf(deps: DeploymentDeps, tenantId: string, id: string) {
  const cluster = await deps.clusters.record(tenantId, id)
  return cluster ? [{ id, name: cluster.displayName }] : []
}

function ourCommand(tenantId: string, idemKey: string): Command {
  return { actor: ourOwnActor(tenantId), kind: 'DeleteSpace', idemKey, digest: idemKey, socketId: null }
}
