import { pathOf } from '@quayside/contract/http/path'
import { spaces as endpoints } from '@quayside/contract/spaces/endpoints'
import { spacePolicies } from '@quayside/contract/spaces/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Deployments } from '../deployments/index.ts'
import type { Spaces } from './index.ts'

export interface SpaceRoutes {
  spaces: Spaces
  live: Live
  deployments: Deployments
}

export function routes(http: Http, { spaces, live: { changed }, deployments }: SpaceRoutes): void {
  serve(
    http,
    endpoints,
    spacePolicies,
    {
      listSpaces: ({ actor, query, access }) =>
        spaces.list(actor, query, pathOf(endpoints.listSpaces), access.spacesWith('space.view')),
      getSpace: ({ actor, params }) => spaces.get(actor, params.id),
      async createSpace({ actor, body }) {
        const id = await spaces.create(actor, body, spaces.clustersWithin(actor))
        changed(actor.tenantId, 'spaces', id)
        return spaces.get(actor, id)
      },
      async updateSpace({ actor, params, body }) {
        const left = await spaces.update(actor.tenantId, params.id, body, spaces.clustersWithin(actor))
        for (const clusterId of left) await deployments.leaveCluster(actor, { spaceId: params.id, clusterId })
        changed(actor.tenantId, 'spaces', params.id)
        return spaces.get(actor, params.id)
      },
      async freezeSpace({ actor, params, body }) {
        await spaces.freeze(actor, params.id, body)
        changed(actor.tenantId, 'spaces', params.id)
        return spaces.get(actor, params.id)
      },
      async unfreezeSpace({ actor, params }) {
        await spaces.unfreeze(actor, params.id)
        changed(actor.tenantId, 'spaces', params.id)
        return spaces.get(actor, params.id)
      },
      async deleteSpace({ actor, params, request }) {
        const accepted = await deployments.deleteSpace(actor, params.id, request)
        changed(actor.tenantId, 'spaces', params.id)
        return accepted
      },
    },
    { deleteSpace: ({ actor, params, request }) => deployments.deletedSpace(actor, params.id, request) },
  )
}
