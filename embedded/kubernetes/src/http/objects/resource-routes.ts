import type { V1CustomResourceDefinition } from '@kubernetes/client-node'
import { methodNotAllowed, unknownPath } from '../../api-error.ts'
import { subjectOfType } from '../../resources/resource-type.ts'
import { metricsReply } from '../metrics.ts'
import type { Reply } from '../reply.ts'
import type { Verb } from '../request-path.ts'
import { reviewOf } from '../subresources/reviews.ts'
import { subresourceReply } from '../subresources/subresources.ts'
import { deleteCollection, deleteObject } from './delete-objects.ts'
import { patchObject } from './patch-objects.ts'
import { getObject, listObjects } from './read-objects.ts'
import type { ResourceRequest } from './resource-request.ts'
import { watchObjects } from './watch-objects.ts'
import { createObject, updateObject } from './write-objects.ts'

const HANDLERS: Record<Verb, (request: ResourceRequest) => Reply | Promise<Reply>> = {
  get: getObject,
  list: listObjects,
  watch: watchObjects,
  create: createObject,
  update: updateObject,
  patch: patchObject,
  delete: deleteObject,
  deletecollection: deleteCollection,
}

/** Answers a request that names a resource, and is allowed. */
export async function resourceReply(request: ResourceRequest): Promise<Reply> {
  const { type, path, verb } = request
  // Rights were asked for in the namespace of the path, where nothing of the whole cluster is.
  if (!type.namespaced && path.namespace && type.plural !== 'namespaces') throw unknownPath()
  if (path.subresource) return subresourceReply(request)
  if (type.group === 'metrics.k8s.io' && (verb === 'get' || verb === 'list')) return metricsReply(request)
  const review = reviewOf(request)
  if (review && verb === 'create') return review()
  if (!type.verbs.includes(verb)) throw methodNotAllowed(subjectOfType(type), verb)
  if (type.namespaced && !path.namespace && verb !== 'list' && verb !== 'watch') throw unknownPath()
  return withDeprecation(request, await HANDLERS[verb](request))
}

/** Adds the deprecation warning for a version that its definition calls deprecated. */
function withDeprecation({ type, context }: ResourceRequest, reply: Reply): Reply {
  if (!type.custom || !('body' in reply)) return reply
  const found = context.store.get('apiextensions.k8s.io/customresourcedefinitions', undefined, type.custom.definition)
  const { versions = [] } = (found?.spec ?? {}) as Partial<V1CustomResourceDefinition['spec']>
  const version = versions.find(({ name }) => name === type.version)
  if (!version?.deprecated) return reply
  const warning = version.deprecationWarning ?? `${type.group}/${type.version} ${type.kind} is deprecated`
  return { ...reply, warnings: [warning, ...(reply.warnings ?? [])] }
}
