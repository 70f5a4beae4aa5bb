import type { Dashboard } from '@quayside/contract/dashboards/endpoints'
import IconMaximize from '@tabler/icons-react/dist/esm/icons/IconMaximize.mjs'
import IconMinimize from '@tabler/icons-react/dist/esm/icons/IconMinimize.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconShare from '@tabler/icons-react/dist/esm/icons/IconShare.mjs'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { dataPanels, frameStateOf, usePanelFrames } from '../../api/dashboards/panel-frames.ts'
import { usePin } from '../../api/pins.tsx'
import { ranges, refreshes, secondsOf, withShown } from '../../lib/durations.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { Button, IconButton } from '../../ui/actions/button.tsx'
import { PinButton } from '../../ui/actions/pin-button.tsx'
import { RowMenu } from '../../ui/actions/row-menu.tsx'
import { DetailHeader } from '../../ui/layout/detail-header.tsx'
import { FilterChip } from '../../ui/lists/filter-chip.tsx'
import { TagList } from '../../ui/lists/tag.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import styles from './dashboard.module.css'
import { FullScreen } from './full-screen.tsx'
import { PanelGrid } from './panel-grid.tsx'
import { StarButton } from './star-button.tsx'
import { useDashboardMenu } from './use-dashboard-menu.tsx'

interface Props {
  dashboard: Dashboard
  share: (dashboard: Dashboard, onClose: () => void) => ReactNode
  onEdit: () => void
}
const day = 86_400

/** A dashboard as it is looked at. */
export function DashboardView({ dashboard, share, onEdit }: Props) {
  const [{ full }] = useUrlState()
  const [isSharing, setSharing] = useState(false)
  const isFull = full === '1'
  return (
    <FullScreen>
      <Head dashboard={dashboard} onEdit={onEdit} onShare={() => setSharing(true)} isFull={isFull} />
      <DashboardPanels dashboard={dashboard} />
      {isSharing && share(dashboard, () => setSharing(false))}
    </FullScreen>
  )
}

/** The panels; range, refresh and full screen stand in the address. */
export function DashboardPanels({ dashboard }: Pick<Props, 'dashboard'>) {
  const [{ range, refresh, full }, setUrl] = useUrlState()
  const { spec } = dashboard
  const shownRange = range ?? spec.duration
  const shownRefresh = refresh ?? spec.refreshInterval
  const asked = {
    dashboardId: dashboard.id,
    revision: dashboard.revision,
    panels: Object.keys(dataPanels(spec.panels)),
  }
  const frames = usePanelFrames(asked, secondsOf(shownRange, day) || day, secondsOf(shownRefresh, 0))
  const isFull = full === '1'
  return (
    <>
      <div className={styles.tools}>
        <FilterChip
          label="Time"
          any={false}
          value={shownRange}
          options={withShown(ranges, shownRange)}
          onChange={(value) => setUrl({ range: value })}
        />
        <FilterChip
          label="Refresh"
          any={false}
          value={shownRefresh}
          options={withShown(refreshes, shownRefresh)}
          onChange={(value) => setUrl({ refresh: value })}
        />
        <IconButton icon={IconRefresh} label="Refresh now" onClick={() => void frames.refetch()} />
        <IconButton
          icon={isFull ? IconMinimize : IconMaximize}
          label={isFull ? 'Leave full screen' : 'Full screen'}
          onClick={() => setUrl({ full: isFull ? '' : '1' })}
        />
      </div>
      {frames.error !== null && (
        <div className={styles.alone}>
          <ErrorPanel error={frames.error} name="Panels" onRetry={() => void frames.refetch()} />
        </div>
      )}
      {Object.keys(spec.panels).length === 0 ? (
        <EmptyState title="This dashboard has no panels yet" text="Edit it to add panels from the library." />
      ) : (
        <PanelGrid spec={spec} frames={frames.data ?? {}} state={frameStateOf(frames)} />
      )}
    </>
  )
}

interface HeadProps {
  dashboard: Dashboard
  isFull: boolean
  onEdit: () => void
  onShare: () => void
}

function Head({ dashboard, isFull, onEdit, onShare }: HeadProps) {
  const { id, displayName, description, tags, scopes } = dashboard
  const navigate = useNavigate()
  const menu = useDashboardMenu({ onDeleted: () => void navigate({ to: '/dashboards' }) })
  const pin = usePin({ kind: 'dashboards', id, name: displayName })
  return (
    <DetailHeader
      title={displayName}
      below={description === '' ? undefined : <bdi>{description}</bdi>}
      state={tags.length > 0 && <TagList tags={tags} show={3} />}
      actions={
        !isFull && (
          <>
            <StarButton dashboard={dashboard} />
            <PinButton {...pin} />
            <Button icon={IconShare} onClick={onShare}>
              Share
            </Button>
            {scopes.includes('dashboard.edit') && (
              <Button icon={IconPencil} onClick={onEdit}>
                Edit
              </Button>
            )}
            <RowMenu name={displayName} entries={menu(dashboard)} />
          </>
        )
      }
    />
  )
}
