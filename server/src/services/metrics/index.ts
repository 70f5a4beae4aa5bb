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
import type { Spaces } from '../spaces/index.ts'
import type { UsageReads } from './usage.ts'

interface MetricsDeps {
  usage: UsageReads
  apps: Pick<Apps, 'record'>
  spaces: Pick<Spaces, 'record'>
  mustKnowCluster(tenantId: string, clusterId: string): Promise<void>
  markers(tenantId: string, appId: string, range: { from: Date; to: Date }): Promise<Marker[]>
}

/** CPU and memory of apps, spaces and clusters over time. Rights are asked for before: these reads trust their ids. */
export function createMetrics({ usage, apps, spaces, mustKnowCluster, markers }: MetricsDeps) {
  async function ofSpace(tenantId: string, spaceId: string, range: UsageRange): Promise<Usage> {
    const space = await spaces.record(tenantId, spaceId)
    if (!space) throw fail('space.not-found')
    return usage.over({ level: 'space', labels: { tenant: tenantId, space: spaceId } }, space.clusterIds, range)
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
      const actions = await markers(tenantId, appId, {
        from: new Date(over.from),
        to: new Date(range.to ?? Date.now()),
      })
      return { ...over, pods, markers: actions }
    },

    async space(tenantId: string, spaceId: string, range: UsageRange): Promise<SpaceUsage> {
      const [over, pods] = await Promise.all([
        ofSpace(tenantId, spaceId, range),
        usage.pods({ tenant: tenantId, space: spaceId }),
      ])
      return { ...over, pods }
    },

    async cluster(tenantId: string, clusterId: string, range: UsageRange): Promise<ClusterUsage> {
      const over = await ofCluster(tenantId, clusterId, range)
      return { ...over, nodes: await usage.nodes({ tenant: tenantId, cluster: clusterId }) }
    },
  }
}
export type Metrics = ReturnType<typeof createMetrics>
