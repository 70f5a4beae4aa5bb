import type { IncomingMessage } from 'node:http'
import { badRequest } from '../../api-error.ts'
import type { Identity } from '../../auth/identity.ts'
import type { ClusterContext } from '../../cluster-context.ts'
import type { Writer } from '../../machinery/managed-fields.ts'
import { apiVersionOf, type ResourceType } from '../../resources/resource-type.ts'
import { kubeTime } from '../../store/names.ts'
import type { Shape } from '../negotiate.ts'
import { mediaTypeOf, readBytes } from '../read-body.ts'
import { fieldManagerOf } from '../request-options.ts'
import type { ResourcePath, Verb } from '../request-path.ts'

/** A request for a resource, authenticated and allowed. */
export interface ResourceRequest {
  context: ClusterContext
  type: ResourceType
  path: ResourcePath
  verb: Verb
  query: URLSearchParams
  shape: Shape
  identity: Identity
  message: IncomingMessage
}

export const bodyOf = (request: ResourceRequest): Promise<Buffer> => readBytes(request.message)
export const bodyTypeOf = (request: ResourceRequest): string => mediaTypeOf(request.message)

/** The namespace in which the request acts; none for cluster-wide resources. */
export const namespaceOf = ({ type, path }: ResourceRequest): string | undefined =>
  type.namespaced ? path.namespace : undefined

/** The object's name in the path; handlers of single objects have one by their route. */
export function nameOf({ path }: ResourceRequest): string {
  if (!path.name) throw badRequest('name is required')
  return path.name
}

/** The field manager: named by the client, else what its user agent starts with. */
export function writerOf(request: ResourceRequest): Writer {
  const agent = (request.message.headers['user-agent'] ?? '').split('/')[0] || 'unknown'
  const manager = fieldManagerOf(request) ?? agent
  return {
    manager,
    apiVersion: apiVersionOf(request.type),
    time: kubeTime(request.context.clock.now()),
    ...(request.path.subresource ? { subresource: request.path.subresource } : {}),
  }
}
