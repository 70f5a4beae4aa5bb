import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import { readManifestInWorker } from '../../../adapters/helm/parse-manifest.ts'
import type { ClusterConnection } from '../../../adapters/kubernetes/kubernetes.ts'
import type { Connections } from '../registry/connections.ts'
import type { Releases } from '../releases/releases.ts'
import { dryRun } from './dry-run.ts'
import { overwrites } from './overwrites.ts'
import { foreignObjects, type OwnedBy } from './ownership.ts'
import { limitLines, quotaLines } from './quota-check.ts'

type SpaceTarget = { namespace: string; spaceId: string }

/** Questions about a manifest that only its cluster can answer. */
export function createClusterChecks({ connections, releases }: { connections: Connections; releases: Releases }) {
  async function asSpace<T>(
    [tenantId, clusterId, target]: [tenantId: string, clusterId: string, target: SpaceTarget],
    ask: (connection: ClusterConnection) => Promise<T>,
  ): Promise<T> {
    const connection = await connections.asSpace(tenantId, clusterId, target)
    try {
      return await ask(connection)
    } finally {
      connection.close()
    }
  }

  return {
    async capabilities(tenantId: string, clusterId: string) {
      const connection = await connections.to(tenantId, clusterId)
      const [{ gitVersion }, kinds] = await Promise.all([connection.version(), connection.kinds()])
      const versions = kinds.flatMap(({ apiVersion, kind }) => [apiVersion, `${apiVersion}/${kind}`])
      return {
        kubeVersion: gitVersion,
        apiVersions: [...new Set(versions)],
        resourceScopes: new Map(kinds.map(({ apiVersion, kind, namespaced }) => [`${apiVersion}/${kind}`, namespaced])),
      }
    },

    async dryRun(
      tenantId: string,
      clusterId: string,
      target: SpaceTarget & OwnedBy,
      manifest: readonly ManifestObject[],
    ) {
      const own = await connections.to(tenantId, clusterId)
      const foreign = await foreignObjects(own, target, manifest)
      if (foreign.length > 0) return foreign
      return asSpace([tenantId, clusterId, target], (connection) => dryRun(connection, target.namespace, manifest))
    },

    /** Fields that others have set and a manifest would set again, a line for each object. */
    overwrites: (tenantId: string, clusterId: string, target: SpaceTarget, manifest: string) =>
      asSpace([tenantId, clusterId, target], (connection) => overwrites(connection, target.namespace, manifest)),

    /** Quotas and limits of the namespace that a manifest would exceed; the release's present usage counts as free. */
    async shortfalls(
      tenantId: string,
      clusterId: string,
      { namespace, releaseName }: { namespace: string; releaseName: string | null },
      manifest: readonly ManifestObject[],
    ) {
      const connection = await connections.to(tenantId, clusterId)
      const [quotas, ranges] = await Promise.all(
        ['v1/resourcequotas', 'v1/limitranges'].map((resource) => connection.list(resource, { namespace })),
      )
      const history =
        quotas?.length && releaseName ? await releases.history(connection, namespace, releaseName) : undefined
      const newest = history?.revisions[0]
      const now = newest && newest.status === 'deployed' ? await readManifestInWorker(newest.manifest) : []
      return [...quotaLines(quotas ?? [], manifest, now), ...limitLines(ranges ?? [], manifest)]
    },
  }
}
