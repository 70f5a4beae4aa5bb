import { badRequest, KubeError, notFound, unknownPath } from '../../api-error.ts'
import { patchObject } from '../objects/patch-objects.ts'
import { getObject } from '../objects/read-objects.ts'
import type { ResourceRequest } from '../objects/resource-request.ts'
import { finalizeNamespace, updateObject } from '../objects/write-objects.ts'
import type { Reply } from '../reply.ts'
import { bindPod } from './pod-binding.ts'
import { evictPod } from './pod-eviction.ts'
import { podLogs } from './pod-logs.ts'
import { readScale, writeScale } from './scale.ts'
import { requestToken } from './token-request.ts'

type Handler = (request: ResourceRequest) => Reply | Promise<Reply>
type ByMethod = Partial<Record<string, Handler>>

const simulated =
  (what: string): Handler =>
  () => {
    throw new KubeError(
      501,
      'NotImplemented',
      `${what} is not available: this is the sandbox cluster, its workloads are simulated and no container runs in it`,
    )
  }

const whole: ByMethod = { GET: getObject, PUT: updateObject, PATCH: patchObject }
const refusal = (what: string): ByMethod => ({ GET: simulated(what), POST: simulated(what) })
const proxy: ByMethod = Object.fromEntries(
  ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, simulated('proxy')]),
)

const HANDLERS: Record<string, ByMethod> = {
  status: whole,
  approval: whole,
  ephemeralcontainers: whole,
  resize: whole,
  scale: { GET: readScale, PUT: writeScale, PATCH: writeScale },
  log: { GET: podLogs },
  exec: refusal('exec'),
  attach: refusal('attach'),
  portforward: refusal('port-forward'),
  proxy,
  binding: { POST: bindPod },
  eviction: { POST: evictPod },
  token: { POST: requestToken },
  finalize: { PUT: finalizeNamespace },
}

/** Answers a request for a part of an object. */
export async function subresourceReply(request: ResourceRequest): Promise<Reply> {
  const { type, path, message } = request
  const name = path.subresource ?? ''
  if (!type.subresources[name]) throw unknownPath()
  const handler = HANDLERS[name]?.[message.method === 'HEAD' ? 'GET' : (message.method ?? '')]
  if (!handler)
    throw new KubeError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})
  if (!path.name) throw badRequest('name is required')
  const { store } = request.context
  if (!store.get(type.storage, type.namespaced ? path.namespace : undefined, path.name)) {
    throw notFound({ group: type.group, resource: type.plural }, path.name)
  }
  return handler(request)
}
