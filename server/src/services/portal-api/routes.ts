import type { DeletionAccepted } from '@quayside/contract/deletion'
import { portalApiPolicies } from '@quayside/contract/policies/portal-api'
import { portalApi } from '@quayside/contract/portal-api'
import { scopes } from '@quayside/contract/scopes'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../kernel/actor.ts'
import type { Config } from '../../kernel/config.ts'
import { fail } from '../../kernel/errors.ts'
import type { Http } from '../../kernel/http.ts'
import { type Access, mustHold } from '../../kernel/rights.ts'
import { serve } from '../../kernel/route.ts'
import type { PortalApi } from './index.ts'
import { menuRoutes } from './menu-routes.ts'

/** Deletes a space by an action of the ledger. */
export type DeleteSpace = (
  actor: Actor,
  spaceId: string,
  request: Pick<FastifyRequest, 'headers'>,
) => Promise<DeletionAccepted>

export function routes(http: Http, portal: PortalApi, config: Config, remove: DeleteSpace): void {
  const { tenants, spaces, apps, menu, clustersWithin, changed } = portal
  menuRoutes(http, menu)
  const changing = async ({ tenantId }: { tenantId: string }, appId: string, access: Access) => {
    const app = await apps.record(tenantId, appId)
    if (!app) throw fail('app.not-found')
    if (app.releaseName !== null) mustHold(access, 'app.manage')
    return app.spaceId
  }
  serve(http, portalApi, portalApiPolicies, {
    limits: async () => ({
      uploadBytes: 10 * 1024 * 1024,
      valuesBytes: 512 * 1024,
      listLimit: 1000,
      deployTimeoutSeconds: config.deployTimeoutSeconds,
    }),
    async tenantByRealm({ actor, params, access }) {
      const tenant = params.realm === actor.realm ? await tenants.ofRealm(params.realm) : undefined
      if (!tenant) throw fail('tenant.not-found')
      const see = { spaces: access.spacesWith('space.view'), apps: access.spacesWith('app.view') }
      return { ...tenant, spaces: await tenants.contentOf(tenant.id, see) }
    },
    listSpaces: ({ actor, query, access }) =>
      spaces.list(actor, query, '/portal-api/v2/spaces', access.spacesWith('space.view')),
    getSpace: ({ actor, params }) => spaces.get(actor, params.id),
    async createSpace({ actor, body }) {
      const id = await spaces.create(actor, body, clustersWithin(actor))
      changed(actor.tenantId, 'spaces', id)
      return spaces.get(actor, id)
    },
    async updateSpace({ actor, params, body }) {
      await spaces.update(actor.tenantId, params.id, body, clustersWithin(actor))
      changed(actor.tenantId, 'spaces', params.id)
      return spaces.get(actor, params.id)
    },
    async deleteSpace({ actor, params, request }) {
      const accepted = await remove(actor, params.id, request)
      changed(actor.tenantId, 'spaces', params.id)
      return accepted
    },
    listApps: ({ actor, query, access }) =>
      apps.list(actor.tenantId, query, '/portal-api/v2/apps', access.spacesWith('app.view')),
    getApp: ({ actor, params }) => apps.get(actor.tenantId, params.id),
    async patchApp({ actor, params, body, access }) {
      const spaceId = await changing(actor, params.id, access)
      const app = await apps.patch(actor.tenantId, params.id, body)
      changed(actor.tenantId, 'app', params.id, spaceId)
      return app
    },
    async addAppTag({ actor, params, body, access }) {
      const spaceId = await changing(actor, params.id, access)
      // The tag stands in the path; some clients send it as the body too, and then both must agree.
      if (typeof body === 'string' && body !== '' && body.trim() !== params.tag)
        throw fail('request.invalid', { field: 'tag', message: 'tag: the body differs from the path' })
      const app = await apps.setTag(actor.tenantId, params.id, params.tag, true)
      changed(actor.tenantId, 'app', params.id, spaceId)
      return app
    },
    async removeAppTag({ actor, params, access }) {
      const spaceId = await changing(actor, params.id, access)
      const app = await apps.setTag(actor.tenantId, params.id, params.tag, false)
      changed(actor.tenantId, 'app', params.id, spaceId)
      return app
    },
    scopes: async () => ({ data: [...scopes] }),
  })
}
