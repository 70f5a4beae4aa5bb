import { limits } from '@quayside/contract/http/limits'
import { tenants as endpoints } from '@quayside/contract/tenants/endpoints'
import { tenantPolicies } from '@quayside/contract/tenants/policies'
import type { Config } from '../../platform/config/config.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Tenants } from './index.ts'

export interface TenantRoutes {
  tenants: Tenants
  config: Pick<Config, 'deployTimeoutSeconds'>
}

export function routes(http: Http, { tenants, config }: TenantRoutes): void {
  serve(http, endpoints, tenantPolicies, {
    limits: async () => ({
      uploadBytes: limits.uploadBytes,
      valuesBytes: limits.valuesBytes,
      listLimit: limits.pageRows,
      deployTimeoutSeconds: config.deployTimeoutSeconds,
    }),
    async tenantByRealm({ actor, params, access }) {
      const tenant = params.realm === actor.realm ? await tenants.ofRealm(params.realm) : undefined
      if (!tenant) throw fail('tenant.not-found')
      const see = { spaces: access.spacesWith('space.view'), apps: access.spacesWith('app.view') }
      return { ...tenant, spaces: await tenants.contentOf(tenant.id, see) }
    },
  })
}
