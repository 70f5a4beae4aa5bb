import type { QuotaUse, WorkloadLimits } from '@quayside/contract/clusters/scaling'
import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import { KubeRefusal } from '../../../adapters/kubernetes/transport.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Connections } from '../registry/connections.ts'
import type { Part } from '../releases/app-parts.ts'
import type { AppScope, AppScopes } from '../releases/app-scope.ts'
import { limitLines, quotaLines } from '../validation/quota-check.ts'
import { quantityOf } from '../workloads/quantity.ts'
import { autoscalersByTarget, toLimits, toQuotaUses } from './present-limits.ts'
import { changeableResources, startsPods, type WorkloadChange, withChange, wordsOf } from './workload-change.ts'

const triesAgainstOthers = 3

/** Throws when whoever asked may start no pods in the space. */
type MustMayStart = () => Promise<void>

/** Replicas, requests and limits of running workloads: looking at them, and changing them beside the release. */
export function createScaling({ scopes, connections }: { scopes: AppScopes; connections: Connections }) {
  return {
    async limitsOf(tenantId: string, appId: string): Promise<{ data: WorkloadLimits[]; quotas: QuotaUse[] }> {
      const scope = await scopes.of(tenantId, appId)
      const [autoscalers, quotas] = await Promise.all([autoscalersOf(scope), listed(scope, 'v1/resourcequotas')])
      const data = scope.parts
        .filter(({ kind, object, hook }) => object !== undefined && !hook && isChangeable(kind))
        .map((part) => toLimits(part, releasedAs(scope, part), autoscalers.get(`${part.kind}/${part.name}`)))
      return { data, quotas: toQuotaUses(quotas) }
    },

    /** The change in words. Throws the reason why it would not be carried out, as far as the cluster tells it now. */
    async judgeChange(
      tenantId: string,
      appId: string,
      change: WorkloadChange,
      mustMayStart: MustMayStart,
    ): Promise<string> {
      const scope = await scopes.of(tenantId, appId)
      const now = objectOf(scope, change)
      const wanted = withChange(now, change, new Date())
      if (!wanted) throw fail('cluster.workload-not-found', { field: 'container' })
      if (startsPods(now, change)) await mustMayStart()
      if (change.set === 'limits') mustBeAtLeastRequested(change)
      if (change.set === 'restart') return wordsOf(change)
      const autoscaler = change.set === 'replicas' && (await autoscalersOf(scope)).get(`${change.kind}/${change.name}`)
      if (autoscaler)
        throw fail('cluster.autoscaled', {
          field: 'replicas',
          message: `The autoscaler ${autoscaler} sets the replicas of this workload. Change its bounds in the values of the app.`,
        })
      const [quotas, ranges] = await Promise.all([listed(scope, 'v1/resourcequotas'), listed(scope, 'v1/limitranges')])
      const [before, after] = [asManifest(now), asManifest(wanted)]
      const [refusal] = [...quotaLines(quotas, [after], [before]), ...limitLines(ranges, [after])]
      if (refusal)
        throw fail('cluster.beyond-quota', {
          field: change.set === 'replicas' ? 'replicas' : 'limits',
          message: refusal.message,
        })
      return wordsOf(change)
    },

    /** Changes a workload with the rights of its space. */
    async changeWorkload(
      tenantId: string,
      appId: string,
      change: WorkloadChange,
      mustMayStart: MustMayStart,
    ): Promise<void> {
      const scope = await scopes.of(tenantId, appId)
      objectOf(scope, change)
      const { namespace, spaceId, clusterId } = scope.app
      const connection = await connections.asSpace(tenantId, clusterId, { namespace, spaceId })
      try {
        await changed(connection, namespace, change, mustMayStart)
      } finally {
        connection.close()
      }
    },
  }
}

const isChangeable = (kind: string) => Object.hasOwn(changeableResources, kind)

/** Reads and writes until nobody else has changed the workload in between. */
async function changed(
  connection: ClusterConnection,
  namespace: string,
  change: WorkloadChange,
  mustMayStart: MustMayStart,
): Promise<void> {
  const resource = changeableResources[change.kind] ?? ''
  for (let left = triesAgainstOthers; ; left -= 1) {
    const now = await connection.get(resource, namespace, change.name)
    const wanted = now && withChange(now, change, new Date())
    if (!wanted) throw fail('cluster.workload-not-found')
    if (startsPods(now, change)) await mustMayStart()
    try {
      await connection.replace(resource, wanted)
      return
    } catch (error) {
      if (!(error instanceof KubeRefusal && error.httpStatus === 409) || left === 0) throw error
    }
  }
}

/** A workload that the app itself runs; anybody else's does not exist here. */
function objectOf({ parts }: AppScope, { kind, name }: WorkloadChange): KubeObject {
  const part = parts.find((one) => one.kind === kind && one.name === name && one.object !== undefined)
  if (!part?.object || !isChangeable(kind)) throw fail('cluster.workload-not-found', { field: 'name' })
  return part.object
}

function releasedAs({ content, app }: AppScope, { kind, name }: Part): ManifestObject | undefined {
  const isHere = (namespace: string | undefined) => namespace === undefined || namespace === app.namespace
  return content?.objects.find((one) => one.kind === kind && one.name === name && isHere(one.namespace))
}

async function listed({ connection, app }: AppScope, resource: string): Promise<KubeObject[]> {
  try {
    return await connection.list(resource, { namespace: app.namespace })
  } catch (error) {
    if (error instanceof KubeRefusal && error.httpStatus === 404) return []
    throw error
  }
}

const autoscalersOf = async (scope: AppScope) =>
  autoscalersByTarget(await listed(scope, 'autoscaling/v2/horizontalpodautoscalers'))

function asManifest(object: KubeObject): ManifestObject {
  const { apiVersion, kind, metadata } = object
  return { apiVersion, kind, name: metadata.name, namespace: metadata.namespace, body: object }
}

function mustBeAtLeastRequested({ requests, limits }: WorkloadChange & { set: 'limits' }): void {
  for (const resource of ['cpu', 'memory'] as const) {
    const [request, limit] = [requests[resource], limits[resource]]
    if (request === null || limit === null || quantityOf(request) <= quantityOf(limit)) continue
    const field = `limits.${resource}`
    throw fail('request.invalid', { field, message: `${field}: must be at least the request of ${request}` })
  }
}
