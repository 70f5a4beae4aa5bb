import { useMay } from '../../api/permissions/my-scopes.ts'
import { ConfigurationList } from '../../features/dashboards/configurations/configuration-list.tsx'
import { DashboardsPage } from '../../features/dashboards/dashboards-page.tsx'
import { useUrlState } from '../../lib/url-state.ts'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'

/** The dashboards, and what panels of several of them refer to for those who keep that. */
export function DashboardsWithConfigurations() {
  const [{ tab }] = useUrlState()
  const may = useMay()
  if (may('dashboard.configurations') !== true && tab !== 'configurations') return <DashboardsPage />
  return (
    <UrlTabs
      label="Dashboards and configurations"
      tabs={[
        { value: 'dashboards', title: 'Dashboards', panel: <DashboardsPage /> },
        { value: 'configurations', title: 'Configurations', panel: <ConfigurationList /> },
      ]}
    />
  )
}
