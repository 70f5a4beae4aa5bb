import type { Section } from '@quayside/contract/permissions/roles'
import { screens } from '@quayside/contract/permissions/screens'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import type { ScopeRequirement } from '../api/permissions/my-scopes.ts'
import type { Portal } from '../lib/portal.tsx'
import { parseUrlSearch, type UrlState, writeUrlSearch } from '../lib/url-state.ts'
import { Loading } from '../ui/states/loading.tsx'
import { guardsInOrder, runGuards } from './guards.ts'
import { Home } from './pages/home.tsx'
import { Forbidden, NotFound, RouteFailed } from './pages/plain-pages.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRouteWithContext<Portal>()({
  component: Shell,
  notFoundComponent: NotFound,
  validateSearch: (search): UrlState => search as UrlState,
})

/** The scopes that contract/src/permissions/screens.ts requires for a page; the id is taken from the path. */
function scopesFor(route: string, pathname: string): ScopeRequirement | undefined {
  const { requiredScopes, scopesSourceType } = screens.find((each) => each.route === route) ?? {}
  if (requiredScopes === undefined || scopesSourceType === undefined) return undefined
  const at = route.split('/').findIndex((part) => part.startsWith('$'))
  const id = decodeURIComponent(pathname.replace(/^\//, '').split('/')[at] ?? '')
  return { anyOf: requiredScopes, source: scopesSourceType, id }
}

/** The guards of a route: signed in, then the role 'access' on the section's client, then the scopes that it asks for. */
const guarded = (section?: Section, route = '') => ({
  beforeLoad: async ({ context, location }: { context: Portal; location: { pathname: string; href: string } }) => {
    const demand = { section, scopes: scopesFor(route, location.pathname) }
    await runGuards(guardsInOrder, context, demand, location.href)
    await context.session.enterSection(location.pathname)
  },
})

/** The space that a deployment was started from stays in the address through the catalog. */
const keepsSpace = { search: { middlewares: [retainSearchParams<UrlState>(['space'])] } }

const under = { getParentRoute: () => root }

const routes = [
  createRoute({
    ...under,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/home', replace: true })
    },
  }),
  createRoute({ ...under, path: 'home', ...guarded(), component: Home }),
  createRoute({
    ...under,
    path: 'apps',
    ...guarded('apps'),
    component: lazyRouteComponent(() => import('./pages/apps-page.tsx'), 'AppsWithLinks'),
  }),
  createRoute({
    ...under,
    path: 'apps/$appId',
    ...guarded('apps', 'apps/$appId'),
    component: lazyRouteComponent(() => import('./pages/app-page.tsx'), 'ExplainedApp'),
  }),
  createRoute({
    ...under,
    path: 'cloud-automation',
    ...guarded('apps'),
    component: lazyRouteComponent(() => import('./pages/activity-page.tsx'), 'ActivityWithAudit'),
  }),
  createRoute({
    ...under,
    path: 'cloud-automation/$actionId',
    ...guarded('apps'),
    component: lazyRouteComponent(() => import('../features/deployments/ledger/action-page.tsx'), 'ActionPage'),
  }),
  createRoute({
    ...under,
    path: 'spaces',
    ...guarded('spaces'),
    component: lazyRouteComponent(() => import('./pages/spaces-page.tsx'), 'SpacesWithRoles'),
  }),
  createRoute({
    ...under,
    path: 'spaces/$spaceId/overview',
    ...guarded('spaces', 'spaces/$spaceId/overview'),
    component: lazyRouteComponent(() => import('./pages/space-page.tsx'), 'SpaceWithMembers'),
  }),
  createRoute({
    ...under,
    path: 'dashboards',
    ...guarded('dashboards'),
    component: lazyRouteComponent(() => import('./pages/dashboards-page.tsx'), 'DashboardsWithConfigurations'),
  }),
  createRoute({
    ...under,
    path: 'dashboards/$dashboardId',
    ...guarded('dashboards', 'dashboards/$dashboardId'),
    component: lazyRouteComponent(() => import('./pages/dashboard-page.tsx'), 'SharedDashboard'),
  }),
  createRoute({
    ...under,
    path: 'catalog/apps',
    ...keepsSpace,
    ...guarded('catalog-apps'),
    component: lazyRouteComponent(() => import('./pages/catalog-page.tsx'), 'CatalogWithSources'),
  }),
  createRoute({
    ...under,
    path: 'catalog/apps/$itemId',
    ...keepsSpace,
    ...guarded('catalog-apps'),
    component: lazyRouteComponent(() => import('../features/catalog/catalog-item-page.tsx'), 'CatalogItemPage'),
  }),
  createRoute({
    ...under,
    path: 'catalog/apps/sources/$sourceId',
    ...guarded('catalog-apps'),
    component: lazyRouteComponent(() => import('../features/catalog/sources/source-page.tsx'), 'SourcePage'),
  }),
  createRoute({
    ...under,
    path: 'clusters',
    ...guarded('clusters'),
    component: lazyRouteComponent(() => import('../features/clusters/clusters-page.tsx'), 'ClustersPage'),
  }),
  createRoute({
    ...under,
    path: 'clusters/$clusterId',
    ...guarded('clusters'),
    component: lazyRouteComponent(() => import('./pages/cluster-page.tsx'), 'ClusterWithKubeconfigs'),
  }),
  createRoute({
    ...under,
    path: 'users',
    ...guarded('iam-users'),
    component: lazyRouteComponent(() => import('./pages/users-page.tsx'), 'UsersWithRequests'),
  }),
  createRoute({
    ...under,
    path: 'users/service-accounts',
    ...guarded('iam-users'),
    component: lazyRouteComponent(() => import('../features/clients/clients-page.tsx'), 'ClientsPage'),
  }),
  createRoute({
    ...under,
    path: 'users/clients/$clientId',
    ...guarded('iam-users'),
    component: lazyRouteComponent(() => import('./pages/client-page.tsx'), 'ClientWithRoles'),
  }),
  createRoute({
    ...under,
    path: 'users/$userId',
    ...guarded('iam-users'),
    component: lazyRouteComponent(() => import('./pages/user-page.tsx'), 'UserWithRoles'),
  }),
  createRoute({
    ...under,
    path: 'groups',
    ...guarded('iam-groups'),
    component: lazyRouteComponent(() => import('./pages/groups-page.tsx'), 'GroupsWithRoles'),
  }),
  createRoute({
    ...under,
    path: 'roles',
    ...guarded('iam-roles'),
    component: lazyRouteComponent(() => import('../features/roles/roles-page.tsx'), 'RolesPage'),
  }),
  createRoute({
    ...under,
    path: 'roles/$roleId',
    ...guarded('iam-roles'),
    component: lazyRouteComponent(() => import('../features/roles/role-page.tsx'), 'RolePage'),
  }),
  createRoute({
    ...under,
    path: 'policies',
    ...guarded('iam-policies'),
    component: lazyRouteComponent(() => import('../features/realms/policies-page.tsx'), 'PoliciesPage'),
  }),
  createRoute({
    ...under,
    path: 'login-settings',
    ...guarded('iam-loginsettings'),
    component: lazyRouteComponent(() => import('./pages/login-settings-page.tsx'), 'LoginSettingsWithEvents'),
  }),
  createRoute({
    ...under,
    path: 'account',
    ...guarded(),
    component: lazyRouteComponent(() => import('./pages/account-page.tsx'), 'AccountWithCredentials'),
  }),
  createRoute({
    ...under,
    path: 'unauthorized',
    component: lazyRouteComponent(() => import('./pages/unauthorized.tsx'), 'Unauthorized'),
  }),
  createRoute({ ...under, path: 'forbidden', component: Forbidden }),
] as const

const routeTree = root.addChildren(routes)

export function createAppRouter(portal: Portal) {
  return createRouter({
    routeTree,
    basepath: import.meta.env.BASE_URL,
    context: portal,
    parseSearch: parseUrlSearch,
    stringifySearch: writeUrlSearch,
    defaultPreload: 'intent',
    defaultPreloadDelay: 80,
    defaultPendingComponent: Loading,
    defaultErrorComponent: RouteFailed,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
