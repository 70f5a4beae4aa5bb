import type { DeletionAccepted } from '@quayside/contract/deployments/deletion'
import { pathOf } from '@quayside/contract/http/path'
import { spaces as endpoints } from '@quayside/contract/spaces/endpoints'
import { spacePolicies } from '@quayside/contract/spaces/policies'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Live } from '../../platform/live/live.ts'
import type { Spaces } from './index.ts'

export interface SpaceRoutes {
  spaces: Spaces
  changed: Live['changed']
  /** Removes what a space has on a cluster by an action of the ledger, and takes it off the clusters of the space. */
  leave(actor: Actor, place: { spaceId: string; clusterId: string }): Promise<DeletionAccepted>
  /** Deletes a space by an action of the ledger. */
  remove(actor: Actor, spaceId: string, request: Pick<FastifyRequest, 'headers'>): Promise<DeletionAccepted>
  /** Answers such a deletion that was accepted before, sent again with its key. */
  removed(
    actor: Actor,
    spaceId: string,
    request: Pick<FastifyRequest, 'headers'>,
  ): Promise<DeletionAccepted | undefined>
}

export function routes(http: Http, { spaces, changed, leave, remove, removed }: SpaceRoutes): void {
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
        for (const clusterId of left) await leave(actor, { spaceId: params.id, clusterId })
        changed(actor.tenantId, 'spaces', params.id)
        return spaces.get(actor, params.id)
      },
      async deleteSpace({ actor, params, request }) {
        const accepted = await remove(actor, params.id, request)
        changed(actor.tenantId, 'spaces', params.id)
        return accepted
      },
    },
    { deleteSpace: ({ actor, params, request }) => removed(actor, params.id, request) },
  )
}
