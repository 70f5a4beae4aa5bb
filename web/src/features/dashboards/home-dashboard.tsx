import { useDashboard } from '../../api/dashboards/dashboards.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { DashboardPanels } from './dashboard-view.tsx'
import { FullScreen } from './full-screen.tsx'

/** A dashboard as somebody's Home. */
export function HomeDashboard({ id }: { id: string }) {
  usePageTitle('Home')
  const found = useDashboard(id)
  if (found.error !== null && found.data === undefined)
    return <ErrorPanel error={found.error} name="Home" onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <Loading />
  return (
    <FullScreen>
      <DashboardPanels dashboard={found.data} />
    </FullScreen>
  )
}
