import type { UnitOfWork } from '../../../platform/db/unit-of-work.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { endKubeconfigs } from '../kubeconfigs/store.ts'
import type { IsolationStore } from '../outside/rights/isolation-store.ts'
import type { ClusterPorts } from '../ports.ts'
import type { Connections } from '../registry/connections.ts'
import type { Store } from '../store.ts'

/** The namespace of a space, as a cluster has it. */
interface SpaceOnCluster {
  tenantId: string
  clusterId: string
  clusterName: string
  spaceId: string
  namespace: string
  /** The space uses the cluster, by this registration or another one. */
  isUsed: boolean
  /** The portal knows that it made the namespace there for the space. */
  isKnown: boolean
  /** Somebody has installed a release in it with a Helm of their own. */
  isInUse: boolean
}

interface ClearDeps {
  store: Store
  connections: Pick<Connections, 'to' | 'ofRow' | 'forget'>
  isolation: Pick<IsolationStore, 'knows'>
  ports: Pick<ClusterPorts, 'usersOf'>
  log: Logger
}

/** Takes spaces off clusters, and the portal itself. */
export function createClear(deps: ClearDeps) {
  const { store, connections, isolation, ports, log } = deps

  const { registrationsBeside, usersByAny } = createRegistrations(deps)

  return {
    /**
     * Removes a space from a cluster and returns the names of what is still there; can be repeated. A space that uses
     * the cluster by another registration keeps what it has.
     */
    async clearSpace(tenantId: string, clusterId: string, space: { spaceId: string; namespace: string }) {
      if ((await usersByAny(tenantId, clusterId)).has(space.spaceId)) return []
      return (await connections.to(tenantId, clusterId)).clearSpace({ tenantId, ...space })
    },

    /** Removes a registration from its cluster, except for objects that other registrations of the server use. */
    async clearCluster(tenantId: string, clusterId: string): Promise<string[]> {
      const connection = await connections.to(tenantId, clusterId)
      const others = await registrationsBeside(tenantId, clusterId)
      const keep = others.length === 0 ? new Map() : await ports.usersOf(tenantId, others)
      const registration = { tenantId, clusterId }
      return connection.clearRegistration(registration, {
        keep: new Set(keep.keys()),
        isOnly: others.length === 0,
      })
    },

    /**
     * Lets go of what is being deleted on a cluster that is about to be forgotten, unless another registration looks
     * after it, or it does not answer.
     */
    async releaseSpaces(tenantId: string, clusterId: string): Promise<void> {
      try {
        if ((await registrationsBeside(tenantId, clusterId)).length === 0)
          await (await connections.to(tenantId, clusterId)).releaseSpaces(tenantId)
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        log.debug({ err: error, clusterId }, 'a cluster that is forgotten did not answer')
      }
    },

    /** In the transaction that ends a deregistration. */
    async forgetCluster(within: UnitOfWork, clusterId: string): Promise<void> {
      await endKubeconfigs(within, { clusterId })
      await store.remove(within, clusterId)
      connections.forget(clusterId)
    },

    /** Namespaces of spaces on all clusters that answer, of every tenant. */
    async spacesOnClusters(): Promise<SpaceOnCluster[]> {
      const found: SpaceOnCluster[] = []
      for (const row of await store.everyone())
        try {
          const connection = connections.ofRow(row)
          const there = await connection.spacesOn(row.tenant_id)
          const users = there.length === 0 ? new Set() : await usersByAny(row.tenant_id, row.id)
          for (const space of there) {
            const isUsed = users.has(space.spaceId)
            const releases = await connection.list('v1/secrets', {
              namespace: space.namespace,
              labelSelector: 'owner=helm',
              metadataOnly: true,
              limit: 1,
            })
            found.push({
              ...{ ...space, clusterId: row.id, clusterName: row.display_name, isUsed },
              isKnown: await isolation.knows(row.tenant_id, row.id, space.spaceId),
              isInUse: releases.length > 0,
            })
          }
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          log.debug({ err: error, clusterId: row.id }, 'a cluster was not asked for its spaces')
        }
      return found
    },
  }
}

/** Registrations of the same cluster, and spaces by them. */
function createRegistrations({ store, connections, ports }: Pick<ClearDeps, 'store' | 'connections' | 'ports'>) {
  /**
   * Other registrations of the cluster by the same tenant. An address says nothing for sure, because a cluster has
   * several; the marks of registrations lie on the cluster itself.
   */
  async function registrationsBeside(tenantId: string, clusterId: string): Promise<string[]> {
    const rows = await store.all(tenantId)
    const server = rows.find(({ id }) => id === clusterId)?.server
    const here = await (await connections.to(tenantId, clusterId)).registrationsOn(tenantId)
    return rows.filter((row) => row.id !== clusterId && (row.server === server || here.has(row.id))).map(({ id }) => id)
  }

  /** Spaces that use a cluster, by whichever registration. */
  async function usersByAny(tenantId: string, clusterId: string): Promise<ReadonlySet<string>> {
    const all = [clusterId, ...(await registrationsBeside(tenantId, clusterId))]
    return new Set((await ports.usersOf(tenantId, all)).keys())
  }
  return { registrationsBeside, usersByAny }
}
