import type {
  AppUsage,
  ClusterUsage,
  Marker,
  SpaceUsage,
  Usage,
  UsageRange,
} from '@quayside/contract/metrics/endpoints'
import { fail } from '../../platform/http/errors.ts'
import type { Apps } from '../apps/index.ts'
import type { Deployments } from '../deployments/index.ts'
import type { Spaces } from '../spaces/index.ts'
import type { Resource } from './names.ts'
import type { UsageReads } from './usage.ts'

type MarkersOf = Parameters<Deployments['markers']>[1]['of']

interface MetricsDeps {
  usage: UsageReads
  apps: Pick<Apps, 'record' | 'byIds'>
  spaces: Pick<Spaces, 'record'>
  mustKnowCluster(tenantId: string, clusterId: string): Promise<void>
  deployments: Pick<Deployments, 'markers'>
}

/** CPU and memory of apps, spaces and clusters over time. Rights are asked for before: these reads trust their ids. */
export function createMetrics({ usage, apps, spaces, mustKnowCluster, deployments }: MetricsDeps) {
  /** The actions in the time of a chart; those in a space have the names of their apps. */
  async function markers(tenantId: string, of: MarkersOf, over: Usage, to: string | undefined): Promise<Marker[]> {
    const range = { from: new Date(over.from), to: new Date(to ?? Date.now()) }
    const found = await deployments.markers(tenantId, { of, ...range })
    const ids = 'spaceId' in of ? found.flatMap(({ appId }) => appId ?? []) : []
    const known = await apps.byIds(tenantId, [...new Set(ids)])
    const names = new Map(known.map(({ id, displayName }) => [id, displayName]))
    return found.map(({ appId, ...marker }) => ({ ...marker, app: names.get(appId ?? '') ?? null }))
  }

  /** @param resource the only one that is read; both where it is not said */
  async function ofSpace(tenantId: string, spaceId: string, range: UsageRange, resource?: Resource): Promise<Usage> {
    const space = await spaces.record(tenantId, spaceId)
    if (!space) throw fail('space.not-found')
    return usage.over(
      { level: 'space', labels: { tenant: tenantId, space: spaceId } },
      space.clusterIds,
      range,
      resource && [resource],
    )
  }

  async function ofCluster(tenantId: string, clusterId: string, range: UsageRange): Promise<Usage> {
    await mustKnowCluster(tenantId, clusterId)
    return usage.over({ level: 'cluster', labels: { tenant: tenantId, cluster: clusterId } }, [clusterId], range)
  }

  return {
    ofSpace,
    ofCluster,

    async app(tenantId: string, appId: string, range: UsageRange): Promise<AppUsage> {
      const app = await apps.record(tenantId, appId)
      if (!app) throw fail('app.not-found')
      const labels = { tenant: tenantId, space: app.spaceId, app: appId }
      const [over, pods] = await Promise.all([
        usage.over({ level: 'app', labels }, [app.clusterId], range),
        usage.pods(labels),
      ])
      return { ...over, pods, markers: await markers(tenantId, { appId }, over, range.to) }
    },

    async space(tenantId: string, spaceId: string, range: UsageRange): Promise<SpaceUsage> {
      const [over, pods] = await Promise.all([
        ofSpace(tenantId, spaceId, range),
        usage.pods({ tenant: tenantId, space: spaceId }),
      ])
      return { ...over, pods, markers: await markers(tenantId, { spaceId }, over, range.to) }
    },

    async cluster(tenantId: string, clusterId: string, range: UsageRange): Promise<ClusterUsage> {
      const over = await ofCluster(tenantId, clusterId, range)
      return { ...over, nodes: await usage.nodes({ tenant: tenantId, cluster: clusterId }) }
    },
  }
}
export type Metrics = ReturnType<typeof createMetrics>
