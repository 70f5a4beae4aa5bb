import multipart from '@fastify/multipart'
import { catalog as endpoints } from '@quayside/contract/catalog/endpoints'
import { catalogPolicies } from '@quayside/contract/catalog/policies'
import { pathOf } from '@quayside/contract/http/path'
import type { Access } from '../../platform/auth/rights.ts'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Catalog } from './index.ts'
import { sourceRoutes } from './sources/routes.ts'

/** The apps that the caller sees are those that are counted. */
const counted = (access: Access) => access.spacesWith('app.view')

export async function routes(http: Http, catalog: Catalog): Promise<void> {
  if (!http.hasContentTypeParser('multipart/form-data')) await http.register(multipart)
  sourceRoutes(http, catalog.sources)
  serve(http, endpoints, catalogPolicies, {
    listItems: ({ actor, query, access }) =>
      catalog.list(actor.tenantId, query, pathOf(endpoints.listItems), counted(access)),
    getItem: ({ actor, params, access }) => catalog.get(actor.tenantId, { id: params.id }, counted(access)),
    getItemByName: ({ actor, params, access }) => catalog.get(actor.tenantId, { name: params.name }, counted(access)),
    setFeatured: ({ actor, params, access }) =>
      catalog.feature(actor.tenantId, params.id, params.featured === 'true', counted(access)),
    deleteItem: ({ actor, params, access }) => catalog.remove(actor.tenantId, params.id, counted(access)),
    getVersion: ({ actor, params }) => catalog.detail(actor.tenantId, params.id),
    versionsOfItem: ({ actor, params }) => catalog.versionsOfItem(actor.tenantId, params.id),
    versionsOfApp: ({ actor, params }) => catalog.versionsOfApp(actor, params.id),
    listManufacturers: ({ actor, query }) =>
      catalog.manufacturers(actor.tenantId, query, pathOf(endpoints.listManufacturers)),
    upload: ({ actor, request, mustStillBeAllowed }) => catalog.upload(actor, request, mustStillBeAllowed),
    async repositoryIndex({ actor, reply }) {
      return reply.type('text/yaml; charset=utf-8').send(await catalog.repositoryIndex(actor.tenantId))
    },
    async repositoryChart({ actor, params, reply }) {
      const bytes = await catalog.repositoryFile(actor.tenantId, params.file)
      return reply.type('application/gzip').header('content-disposition', 'attachment').send(bytes)
    },
  })
}
