import { fail } from '../../../platform/http/errors.ts'
import type { SpaceRecord } from '../../spaces/index.ts'
import type { DeploymentDeps } from '../deps.ts'
import { ourOwnActor } from '../engine/reconcile-unknown.ts'
import { isBeingDeleted, knowsSpace, wasToGo } from '../store.ts'
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
 * Takes a space off a cluster on which it has no apps. It does not use the cluster from the acceptance on, and its
 * kubeconfigs there end; what it has on the cluster goes with the action.
 */
export function leaveCluster(
  deps: DeploymentDeps,
  command: Command,
  { spaceId, clusterId }: { spaceId: string; clusterId: string },
): Promise<ActionRow> {
  const { tenantId } = command.actor
  return accept(deps, command, async () => {
    const space = await deps.spaces.record(tenantId, spaceId)
    if (!space) throw fail('space.not-found')
    return {
      ...(await leaving(deps, tenantId, { space, clusterId })),
      also: (trx) => deps.spaces.leave(trx, { spaceId, clusterId }),
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
 * Finds what spaces have left on clusters that they left, or that were deleted, by a version that left it there, or
 * while a cluster was away, and deletes it by an action of the ledger like any other. Only of spaces that this portal has
 * known there: to one whose database is older than its clusters, spaces that were made since would look like deleted
 * ones. Where somebody has installed a release with a Helm of their own, only if somebody has asked for the removal.
 */
export async function clearFormer(deps: DeploymentDeps): Promise<void> {
  const began = performance.now()
  for (const found of await deps.clusters.spacesOnClusters()) {
    const { tenantId, spaceId, namespace, clusterId } = found
    if (found.isUsed) continue
    const space = await deps.spaces.record(tenantId, spaceId)
    const isAsked = await wasToGo(deps.db, tenantId, { namespace, clusterId })
    const isKnown = space ? found.isKnown : await knowsSpace(deps.db, tenantId, { spaceId, namespace })
    if (!isAsked && (found.isInUse || !isKnown)) {
      const { isInUse } = found
      deps.log.warn({ clusterId, namespace, isInUse }, 'a namespace of a space that is not there is left alone')
      continue
    }
    // A removal that ended since the clusters were asked has taken the namespace that they named.
    if (await isBeingDeleted(deps.db, tenantId, namespace, (performance.now() - began) / 1000)) continue
    try {
      await (space ? clearLeft(deps, space, found) : clearDeleted(deps, found))
    } catch (error) {
      deps.log.debug({ err: error, namespace }, 'what a space has left is not removed now')
    }
  }
}

type Found = Awaited<ReturnType<DeploymentDeps['clusters']['spacesOnClusters']>>[number]

async function clearDeleted(deps: DeploymentDeps, { tenantId, spaceId, namespace, clusterId, clusterName }: Found) {
  await accept(deps, ourCommand('DeleteSpace', tenantId, `${clusterId}-${spaceId}`), async () => ({
    input: { kind: 'DeleteSpace', spaceId, namespace, clusters: [{ id: clusterId, name: clusterName }] },
    about: aboutSpace(spaceId, namespace, namespace),
  }))
}

async function clearLeft(deps: DeploymentDeps, space: SpaceRecord, { tenantId, clusterId }: Found) {
  const place = { spaceId: space.id, clusterId }
  await accept(deps, ourCommand('LeaveCluster', tenantId, `${clusterId}-${space.id}`), async () => ({
    ...(await leaving(deps, tenantId, { space, clusterId })),
    also: (trx) => deps.spaces.mustHaveLeft(trx, place),
  }))
}

/** Input and columns of the action that takes a space off a cluster. */
async function leaving(
  deps: DeploymentDeps,
  tenantId: string,
  { space, clusterId }: { space: SpaceRecord; clusterId: string },
) {
  const cluster = await deps.clusters.record(tenantId, clusterId)
  if (!cluster) throw fail('cluster.not-found')
  const input = { kind: 'LeaveCluster', spaceId: space.id, namespace: space.namespace, clusterId } as const
  return {
    input,
    about: {
      ...aboutSpace(space.id, space.displayName, space.namespace),
      release_key: `space:${space.id}:${clusterId}`,
      space_id: space.id,
      cluster_id: clusterId,
      cluster_name: cluster.displayName,
    },
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

function ourCommand(kind: 'DeleteSpace' | 'LeaveCluster', tenantId: string, which: string): Command {
  const idemKey = `former-${which}-${thisHour()}`
  return { actor: ourOwnActor(tenantId), kind, idemKey, digest: idemKey, socketId: null }
}
