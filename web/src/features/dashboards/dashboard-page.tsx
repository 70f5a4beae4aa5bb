import type { Dashboard } from '@quayside/contract/dashboards/endpoints'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useDashboard } from '../../api/dashboards/dashboards.ts'
import { isGone } from '../../lib/api/api-error.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { usePortal } from '../../lib/portal.tsx'
import { useUrlState } from '../../lib/url-state.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { DashboardView } from './dashboard-view.tsx'
import { EditDashboard, type Edited } from './edit/edit-dashboard.tsx'
import { readDraft } from './edit/kept-draft.ts'

interface Props {
  /** The dialog that shares a dashboard. */
  share: (dashboard: Dashboard, onClose: () => void) => ReactNode
}

/** One dashboard, to be looked at or edited. */
export function DashboardPage({ share }: Props) {
  const { dashboardId } = useParams({ from: '/dashboards/$dashboardId' })
  const [{ edit }, setUrl] = useUrlState()
  const found = useDashboard(dashboardId)
  const [editing, setEditing] = useState<Edited>()
  const { me } = usePortal()
  usePageTitle(found.data?.displayName)
  const mayEdit = found.data?.scopes.includes('dashboard.edit') === true && !isGone(found.error)
  const begun = edit === '1' && editing?.id === dashboardId ? editing : undefined
  if (edit === '1' && begun === undefined) {
    if (mayEdit) setEditing(found.data)
    else if (found.data !== undefined || isGone(found.error)) {
      // A draft may be left from before the right was lost.
      const kept = readDraft(me().userId, dashboardId)
      if (kept !== undefined) setEditing({ id: dashboardId, revision: kept.revision, ...kept.content })
    }
  }
  if (edit !== '1' && editing !== undefined) setEditing(undefined)
  // A draft stays when the dashboard is deleted meanwhile, or closed to the person.
  if (begun !== undefined)
    return <EditDashboard key={dashboardId} dashboard={begun} maySave={mayEdit} onDone={() => setUrl({ edit: '' })} />
  if (isGone(found.error))
    return <EmptyState title="This dashboard is not there" text="It was deleted, or is not shared with you any more." />
  if (found.error !== null && found.data === undefined)
    return <ErrorPanel error={found.error} name="Dashboard" onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <Loading />
  return <DashboardView dashboard={found.data} share={share} onEdit={() => setUrl({ edit: '1', full: '' })} />
}
