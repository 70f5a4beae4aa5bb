import { holding, type Policies, role, signedIn } from '../http/policy.ts'
import type { dashboards } from './endpoints.ts'
import type { dashboardHome } from './home.ts'
import type { dashboardLibrary } from './library.ts'
import type { dashboardPermissions } from './permission-list.ts'
import type { dashboardQuery } from './query.ts'

// Everybody may have dashboards. Each has a permission list, which the verbs ask: a dashboard of which the list gives
// the caller nothing does not exist for them. What its panels show is what the caller sees anyway.
export const dashboardPolicies: Policies<typeof dashboards> = {
  dashboardScopes: signedIn,
  listDashboards: signedIn,
  listDashboardTags: signedIn,
  getDashboard: signedIn,
  createDashboard: signedIn,
  updateDashboard: signedIn,
  deleteDashboard: signedIn,
  restoreDashboard: signedIn,
  takeOverDashboard: holding(role('spaces', 'spaces.manage')),
  starDashboard: signedIn,
}

export const dashboardPermissionPolicies: Policies<typeof dashboardPermissions> = {
  listDashboardPermissions: signedIn,
  addDashboardPermission: signedIn,
  changeDashboardPermissions: signedIn,
  deleteDashboardPermission: signedIn,
  findDashboardPrincipals: signedIn,
}

// Those who make spaces for the tenant keep what all of its dashboards draw from.
const keeper = role('apps', 'apps.create')
const keeps = holding(keeper)
const publisher = role('catalog-apps', 'catalog.publish')

export const dashboardLibraryPolicies: Policies<typeof dashboardLibrary> = {
  listWidgets: signedIn,
  addWidget: keeps,
  registerWidget: holding(publisher),
  removeWidget: holding(keeper, publisher),
  listConfigurations: signedIn,
  saveConfiguration: keeps,
  getConfiguration: signedIn,
  deleteConfiguration: keeps,
}

export const dashboardHomePolicies: Policies<typeof dashboardHome> = { getHome: signedIn, chooseHome: signedIn }

export const dashboardQueryPolicies: Policies<typeof dashboardQuery> = { queryPanels: signedIn }
