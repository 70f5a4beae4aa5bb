import { sidebar as endpoints } from '@quayside/contract/sidebar/endpoints'
import { sidebarPolicies } from '@quayside/contract/sidebar/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Sidebar } from './index.ts'

export function routes(http: Http, sidebar: Sidebar): void {
  serve(http, endpoints, sidebarPolicies, {
    getMenu: async ({ actor }) => ({ data: await sidebar.list(actor) }),
    addMenuGroup: ({ actor, body }) => sidebar.addGroup(actor, body.title),
    renameMenuGroup: ({ actor, params, body }) => sidebar.renameGroup(actor, params.gid, body.title),
    deleteMenuGroup: ({ actor, params }) => sidebar.deleteGroup(actor, params.gid),
    addMenuEntry: ({ actor, params, body }) => sidebar.addEntry(actor, params.gid, body),
    orderMenuEntries: ({ actor, params, body }) => sidebar.orderEntries(actor, params.gid, body.ids),
    deleteMenuEntry: ({ actor, params }) => sidebar.deleteEntry(actor, params.gid, params.eid),
  })
}
