import type { Space } from '@quayside/contract/spaces/endpoints'
import { useSpaceUsage } from '../../api/metrics/usage.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { MarkedActions } from './marked-actions.tsx'
import { PodUsageTable } from './pod-usage-table.tsx'
import { UsageView, useShownTime } from './usage-view.tsx'

/** CPU and memory of a space, with a mark for each action in it, and its busiest pods. */
export function SpaceMetrics({ space }: { space: Space }) {
  const usage = useSpaceUsage({ id: space.id, ...useShownTime(), isOff: space.clusters.length === 0 })
  if (space.clusters.length === 0)
    return <EmptyState title="No cluster" text="This space uses no cluster yet, so nothing runs in it." />
  return (
    <UsageView name={space.displayName} usage={usage} markers={usage.data?.markers}>
      {({ pods, markers, collections }) =>
        collections.some(({ state }) => state !== 'off') && (
          <>
            <MarkedActions markers={markers} />
            <PodUsageTable pods={pods} withApps />
          </>
        )
      }
    </UsageView>
  )
}
