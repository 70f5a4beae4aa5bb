import { portalApi } from '@quayside/contract/portal-api'
import type { Actor } from '../../kernel/actor.ts'
import type { Config } from '../../kernel/config.ts'
import { fail } from '../../kernel/errors.ts'
import type { Http } from '../../kernel/http.ts'
import { mustHold } from '../../kernel/policy.ts'
import { serve } from '../../kernel/route.ts'
import type { PortalApi } from './index.ts'
import { menuRoutes } from './menu-routes.ts'
import { policies } from './policy.ts'
import { allScopes, scopesOf } from './scopes.ts'

export function routes(http: Http, { tenants, spaces, apps, menu, changed }: PortalApi, config: Config): void {
  menuRoutes(http, menu)
  const mustChange = async (actor: Actor, appId: string) => {
    const app = await apps.record(actor.tenantId, appId)
    if (app?.releaseName !== null) mustHold(actor, 'catalog-apps', 'catalog.deployments.manage')
  }
  serve(http, portalApi, policies, {
    limits: async () => ({
      uploadBytes: 10 * 1024 * 1024,
      valuesBytes: 512 * 1024,
      listLimit: 1000,
      deployTimeoutSeconds: config.deployTimeoutSeconds,
    }),
    async tenantByRealm({ actor, params }) {
      const tenant = params.realm === actor.realm ? await tenants.ofRealm(params.realm) : undefined
      if (!tenant) throw fail('tenant.not-found')
      return { ...tenant, spaces: await tenants.contentOf(tenant.id) }
    },
    listSpaces: ({ actor, query }) => spaces.list(actor.tenantId, query, scopesOf(actor), '/portal-api/v2/spaces'),
    getSpace: ({ actor, params }) => spaces.get(actor.tenantId, params.id, scopesOf(actor)),
    async createSpace({ actor, body }) {
      const id = await spaces.create(actor.tenantId, body)
      changed(actor.tenantId, 'spaces', id)
      return spaces.get(actor.tenantId, id, scopesOf(actor))
    },
    async updateSpace({ actor, params, body }) {
      await spaces.update(actor.tenantId, params.id, body)
      changed(actor.tenantId, 'spaces', params.id)
      return spaces.get(actor.tenantId, params.id, scopesOf(actor))
    },
    async deleteSpace({ actor, params }) {
      await spaces.remove(actor.tenantId, params.id)
      changed(actor.tenantId, 'spaces', params.id)
    },
    listApps: ({ actor, query }) => apps.list(actor.tenantId, query, '/portal-api/v2/apps'),
    getApp: ({ actor, params }) => apps.get(actor.tenantId, params.id),
    async patchApp({ actor, params, body }) {
      await mustChange(actor, params.id)
      const app = await apps.patch(actor.tenantId, params.id, body)
      changed(actor.tenantId, 'app', params.id)
      return app
    },
    async addAppTag({ actor, params, body }) {
      await mustChange(actor, params.id)
      // The tag stands in the path; some clients send it as the body too, and then both must agree.
      if (typeof body === 'string' && body !== '' && body.trim() !== params.tag)
        throw fail('request.invalid', { field: 'tag', message: 'tag: the body differs from the path' })
      const app = await apps.setTag(actor.tenantId, params.id, params.tag, true)
      changed(actor.tenantId, 'app', params.id)
      return app
    },
    async removeAppTag({ actor, params }) {
      await mustChange(actor, params.id)
      const app = await apps.setTag(actor.tenantId, params.id, params.tag, false)
      changed(actor.tenantId, 'app', params.id)
      return app
    },
    scopes: async () => ({ data: [...allScopes] }),
  })
}
