import { roles as endpoints } from '@quayside/contract/roles/endpoints'
import { rolePolicies } from '@quayside/contract/roles/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Roles } from './index.ts'

export function routes(http: Http, roles: Roles): void {
  serve(http, endpoints, rolePolicies, {
    listRoles: async ({ actor }) => ({ data: await roles.list(actor.realm) }),
  })
}
