import { apps as endpoints } from '@quayside/contract/apps/endpoints'
import { appPolicies } from '@quayside/contract/apps/policies'
import { pathOf } from '@quayside/contract/http/path'
import { type Access, mustHold } from '../../platform/auth/rights.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Apps } from './index.ts'

export interface AppRoutes {
  apps: Apps
  live: Live
}

export function routes(http: Http, { apps, live: { changed } }: AppRoutes): void {
  const changing = async ({ tenantId }: { tenantId: string }, appId: string, access: Access) => {
    const app = await apps.record(tenantId, appId)
    if (!app) throw fail('app.not-found')
    if (app.releaseName !== null) mustHold(access, 'app.manage')
    return app.spaceId
  }
  /** Lists show names and tags as well. */
  const tell = (tenantId: string, appId: string, spaceId: string) => {
    changed(tenantId, 'app', appId, spaceId)
    changed(tenantId, 'apps', undefined, spaceId)
  }
  serve(http, endpoints, appPolicies, {
    listApps: ({ actor, query, access }) =>
      apps.list(actor.tenantId, query, pathOf(endpoints.listApps), access.spacesWith('app.view')),
    getApp: ({ actor, params }) => apps.get(actor.tenantId, params.id),
    async patchApp({ actor, params, body, access }) {
      const spaceId = await changing(actor, params.id, access)
      const app = await apps.patch(actor.tenantId, params.id, body)
      tell(actor.tenantId, params.id, spaceId)
      return app
    },
    async addAppTag({ actor, params, body, access }) {
      const spaceId = await changing(actor, params.id, access)
      // The tag stands in the path; some clients send it as the body too, and then both must agree.
      if (typeof body === 'string' && body !== '' && body.trim() !== params.tag)
        throw fail('request.invalid', { field: 'tag', message: 'tag: the body differs from the path' })
      const app = await apps.setTag(actor.tenantId, params.id, params.tag, true)
      tell(actor.tenantId, params.id, spaceId)
      return app
    },
    async removeAppTag({ actor, params, access }) {
      const spaceId = await changing(actor, params.id, access)
      const app = await apps.setTag(actor.tenantId, params.id, params.tag, false)
      tell(actor.tenantId, params.id, spaceId)
      return app
    },
  })
}
