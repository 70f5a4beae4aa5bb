import type { App } from '@quayside/contract/apps/endpoints'
import { useAppUsage } from '../../api/metrics/usage.ts'
import { MarkedActions } from './marked-actions.tsx'
import { PodUsageTable } from './pod-usage-table.tsx'
import { UsageView, useShownTime } from './usage-view.tsx'

/** CPU and memory of an app, with a mark for each action, and its pods. */
export function AppMetrics({ app }: { app: App }) {
  const usage = useAppUsage({ id: app.id, ...useShownTime() })
  return (
    <UsageView name={app.displayName} usage={usage} markers={usage.data?.markers}>
      {({ pods, markers, collections }) =>
        collections.some(({ state }) => state !== 'off') && (
          <>
            <MarkedActions markers={markers} />
            <PodUsageTable pods={pods} />
          </>
        )
      }
    </UsageView>
  )
}
