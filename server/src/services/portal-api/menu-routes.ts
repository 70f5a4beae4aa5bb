import { menu as endpoints } from '@quayside/contract/menu'
import { menuPolicies } from '@quayside/contract/policies/portal-api'
import type { Http } from '../../kernel/http.ts'
import { serve } from '../../kernel/route.ts'
import type { Menu } from './menu.ts'

export function menuRoutes(http: Http, menu: Menu): void {
  serve(http, endpoints, menuPolicies, {
    getMenu: async ({ actor }) => ({ data: await menu.list(actor) }),
    addMenuGroup: ({ actor, body }) => menu.addGroup(actor, body.title),
    renameMenuGroup: ({ actor, params, body }) => menu.renameGroup(actor, params.gid, body.title),
    deleteMenuGroup: ({ actor, params }) => menu.deleteGroup(actor, params.gid),
    addMenuEntry: ({ actor, params, body }) => menu.addEntry(actor, params.gid, body),
    orderMenuEntries: ({ actor, params, body }) => menu.orderEntries(actor, params.gid, body.ids),
    deleteMenuEntry: ({ actor, params }) => menu.deleteEntry(actor, params.gid, params.eid),
  })
}
