import multipart from '@fastify/multipart'
import { catalog as endpoints } from '@quayside/contract/catalog'
import { pathOf } from '@quayside/contract/endpoint'
import type { Http } from '../../kernel/http.ts'
import { serve } from '../../kernel/route.ts'
import type { Catalog } from './index.ts'
import { policies } from './policy.ts'

export async function routes(http: Http, catalog: Catalog): Promise<void> {
  if (!http.hasContentTypeParser('multipart/form-data')) await http.register(multipart)
  serve(http, endpoints, policies, {
    listItems: ({ actor, query }) => catalog.list(actor.tenantId, query, pathOf(endpoints.listItems)),
    getItem: ({ actor, params }) => catalog.get(actor.tenantId, { id: params.id }),
    getItemByName: ({ actor, params }) => catalog.get(actor.tenantId, { name: params.name }),
    setFeatured: ({ actor, params }) => catalog.feature(actor.tenantId, params.id, params.featured === 'true'),
    deleteItem: ({ actor, params }) => catalog.remove(actor.tenantId, params.id),
    getVersion: ({ actor, params }) => catalog.detail(actor.tenantId, params.id),
    versionsOfItem: ({ actor, params }) => catalog.versionsOfItem(actor.tenantId, params.id),
    versionsOfApp: ({ actor, params }) => catalog.versionsOfApp(actor.tenantId, params.id),
    listManufacturers: ({ actor, query }) =>
      catalog.manufacturers(actor.tenantId, query, pathOf(endpoints.listManufacturers)),
    upload: ({ actor, request }) => catalog.upload(actor.tenantId, request),
    async repositoryIndex({ actor, reply }) {
      return reply.type('text/yaml; charset=utf-8').send(await catalog.repositoryIndex(actor.tenantId))
    },
    async repositoryChart({ actor, params, reply }) {
      const bytes = await catalog.repositoryFile(actor.tenantId, params.file)
      return reply.type('application/gzip').header('content-disposition', 'attachment').send(bytes)
    },
  })
}
