import { badRequest, KubeError } from '../../api-error.ts'
import { PodLogError, type PodLogStream } from '../../controllers/kubelet/pod-log.ts'
import { docOf, listOf } from '../../store/doc.ts'
import { storedObject } from '../objects/read-objects.ts'
import { nameOf, type ResourceRequest } from '../objects/resource-request.ts'
import { plain, type Reply } from '../reply.ts'

function numberOf(request: ResourceRequest, name: string): number | undefined {
  const value = request.query.get(name)
  if (value === null || value === '') return undefined
  const number = Number(value)
  if (!Number.isInteger(number) || number < 0)
    throw badRequest(`${name}: Invalid value: ${JSON.stringify(value)}: must be a whole number`)
  return number
}

const isSet = (request: ResourceRequest, name: string): boolean => request.query.get(name) === 'true'

function openLog(request: ResourceRequest): PodLogStream {
  const kubelet = request.context.kubelet()
  if (!kubelet) throw new KubeError(503, 'ServiceUnavailable', 'no node answers for this pod yet')
  try {
    return kubelet.podLog(request.path.namespace ?? '', nameOf(request), {
      container: request.query.get('container') ?? undefined,
      follow: isSet(request, 'follow'),
      previous: isSet(request, 'previous'),
      timestamps: isSet(request, 'timestamps'),
      tailLines: numberOf(request, 'tailLines'),
      sinceSeconds: numberOf(request, 'sinceSeconds'),
      sinceTime: request.query.get('sinceTime') ?? undefined,
    })
  } catch (error) {
    if (error instanceof PodLogError) throw new KubeError(error.code, error.reason, error.message)
    throw error
  }
}

/** Log of a container; with `follow` also the lines written later, until the container ends. */
export function podLogs(request: ResourceRequest): Reply {
  const spec = docOf(storedObject(request).spec)
  const isChosen = listOf(spec.containers).length === 1 || request.query.has('container')
  // No node can be asked yet.
  if (isChosen && !spec.nodeName) return { code: 204, text: '' }
  const log = openLog(request)
  const limit = numberOf(request, 'limitBytes')
  const text = limit === undefined ? log.text : Buffer.from(log.text).subarray(0, limit).toString()
  if (!isSet(request, 'follow')) return plain(text)
  return {
    stream(response) {
      response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' })
      response.write(text)
      const stop = log.subscribe(
        (chunk) => response.write(chunk),
        () => response.end(),
      )
      response.once('close', stop)
    },
  }
}
