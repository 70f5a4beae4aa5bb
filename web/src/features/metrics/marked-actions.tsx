import type { Marker } from '@quayside/contract/metrics/endpoints'
import { Panel } from '../../ui/layout/panel.tsx'
import { MarkerLink, markerWords } from './marker-link.tsx'
import styles from './metrics.module.css'

/** The actions that charts mark, the newest first. */
export function MarkedActions({ markers }: { markers: readonly Marker[] }) {
  if (markers.length === 0) return null
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
