import { DashboardPage } from '../../features/dashboards/dashboard-page.tsx'
import { ShareDialog } from '../../features/dashboards/share-dialog.tsx'
import { PrincipalPicker } from '../../features/permissions/members/principal-picker.tsx'

/** A dashboard, shared with the people, groups and roles that are found as for the members of a space. */
export function SharedDashboard() {
  return (
    <DashboardPage
      share={(dashboard, onClose) => (
        <ShareDialog
          dashboard={dashboard}
          onClose={onClose}
          picker={(value, onChange) => (
            <PrincipalPicker
              dashboardId={dashboard.id}
              label="People, groups or roles"
              optional
              value={value}
              onChange={onChange}
            />
          )}
        />
      )}
    />
  )
}
