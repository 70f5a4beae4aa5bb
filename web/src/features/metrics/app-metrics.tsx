import type { App } from '@quayside/contract/apps/endpoints'
import type { Marker } from '@quayside/contract/metrics/endpoints'
import { useAppUsage } from '../../api/metrics/usage.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { MarkerLink, markerWords } from './marker-link.tsx'
import styles from './metrics.module.css'
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
            {markers.length > 0 && <Actions markers={markers} />}
            <PodUsageTable pods={pods} />
          </>
        )
      }
    </UsageView>
  )
}

function Actions({ markers }: { markers: readonly Marker[] }) {
  return (
    <Panel title="Actions in this time">
      <ul className={styles.actions}>
        {markers.toReversed().map((marker) => (
          <li key={marker.actionId}>
            <MarkerLink marker={marker} /> <bdi>{markerWords(marker)}</bdi>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
