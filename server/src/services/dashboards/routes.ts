import { dashboards as endpoints } from '@quayside/contract/dashboards/endpoints'
import { dashboardHome } from '@quayside/contract/dashboards/home'
import { dashboardLibrary } from '@quayside/contract/dashboards/library'
import { dashboardPermissions } from '@quayside/contract/dashboards/permission-list'
import {
  dashboardHomePolicies,
  dashboardLibraryPolicies,
  dashboardPermissionPolicies,
  dashboardPolicies,
  dashboardQueryPolicies,
} from '@quayside/contract/dashboards/policies'
import { dashboardQuery } from '@quayside/contract/dashboards/query'
import { dashboardScopes } from '@quayside/contract/dashboards/rules'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Dashboards } from './manifest.ts'

export function routes(
  http: Http,
  { documents, permissionLists, widgets, configurations, home, answer }: Dashboards,
): void {
  serve(http, endpoints, dashboardPolicies, {
    dashboardScopes: async () => ({ data: [...dashboardScopes] }),
    listDashboards: ({ actor, query }) => documents.list(actor, query),
    listDashboardTags: ({ actor, query }) => documents.tags(actor, query.search),
    async getDashboard({ actor, params, reply }) {
      const found = await documents.get(actor, params.id)
      reply.header('etag', `"${found.revision}"`)
      return found
    },
    createDashboard: ({ actor, body }) => documents.create(actor, body),
    updateDashboard: ({ actor, params, body }) => documents.update(actor, params.id, body),
    deleteDashboard: ({ actor, params }) => documents.remove(actor, params.id),
    restoreDashboard: ({ actor, params }) => documents.restore(actor, params.id),
    takeOverDashboard: ({ actor, params }) => documents.takeOver(actor, params.id),
    starDashboard: ({ actor, params, body }) => documents.star(actor, params.id, body.starred),
  })
  serve(http, dashboardPermissions, dashboardPermissionPolicies, {
    listDashboardPermissions: ({ actor, params }) => permissionLists.list(actor, params.id),
    addDashboardPermission: ({ actor, params, body }) => permissionLists.add(actor, params.id, body),
    changeDashboardPermissions: ({ actor, params, body }) => permissionLists.change(actor, params.id, body),
    deleteDashboardPermission: ({ actor, params }) => permissionLists.remove(actor, params.id, params.pid),
    findDashboardPrincipals: ({ actor, params, query }) => permissionLists.search(actor, params.id, query.search),
  })
  serve(http, dashboardLibrary, dashboardLibraryPolicies, {
    listWidgets: ({ actor, query }) => widgets.list(actor, query),
    addWidget: ({ actor, body }) => widgets.keep(actor, body),
    async registerWidget({ actor, body, reply }) {
      const { widget, isNew } = await widgets.register(actor, body)
      // The reply is checked for a new one; the same again has the same form.
      if (isNew) return widget
      return reply.status(200).send(widget)
    },
    removeWidget: ({ actor, params }) => widgets.remove(actor, params.id),
    listConfigurations: ({ actor, query }) => configurations.list(actor, query),
    saveConfiguration: ({ actor, body }) => configurations.save(actor, body),
    getConfiguration: ({ actor, params }) => configurations.get(actor, params.id),
    deleteConfiguration: ({ actor, params }) => configurations.remove(actor, params.id),
  })
  serve(http, dashboardHome, dashboardHomePolicies, {
    getHome: ({ actor }) => home.get(actor),
    chooseHome: ({ actor, body }) => home.choose(actor, body),
  })
  serve(http, dashboardQuery, dashboardQueryPolicies, {
    async queryPanels({ actor, body, reply }) {
      const lines = await answer(actor, body)
      reply.raw.once('close', () => lines.destroy())
      return reply.type('application/x-ndjson').send(lines)
    },
  })
}
