import { badRequest, KubeError } from '../api-error.ts'
import { docOf, listOf, textOf } from '../store/doc.ts'
import { storedObject } from './read-objects.ts'
import { plain, type Reply } from './reply.ts'
import { nameOf, type ResourceRequest } from './resource-request.ts'

const containerNames = (spec: Record<string, unknown>): string[] =>
  ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) =>
    listOf(spec[field]).map((container) => textOf(docOf(container).name)),
  )

function containerOf(request: ResourceRequest): string {
  const pod = storedObject(request)
  const spec = docOf(pod.spec)
  const { name } = pod.metadata
  const asked = request.query.get('container')
  const all = containerNames(spec)
  if (asked) {
    if (!all.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${name}`)
    return asked
  }
  const main = listOf(spec.containers).map((container) => textOf(docOf(container).name))
  if (main.length !== 1) {
    throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`)
  }
  return main[0] ?? ''
}

/** A container that has not started has nothing to show, and the kubelet says why. */
function checkStarted(request: ResourceRequest, container: string): void {
  const pod = storedObject(request)
  const status = docOf(pod.status)
  const statuses = [...listOf(status.initContainerStatuses), ...listOf(status.containerStatuses)].map(docOf)
  const found = statuses.find(({ name }) => name === container)
  const waiting = docOf(docOf(found?.state).waiting).reason
  const last = docOf(found?.lastState).terminated
  if (request.query.get('previous') === 'true' && !last) {
    throw badRequest(`previous terminated container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata.name)} not found`)
  }
  if (!found || (waiting && !last)) {
    const why = textOf(waiting) || 'ContainerCreating'
    const how = /ErrImagePull|ImagePullBackOff/.test(why) ? 'trying and failing to pull image' : `waiting to start: ${why}`
    throw badRequest(
      how.startsWith('trying')
        ? `container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata.name)} is waiting to start: ${how}`
        : `container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata.name)} is ${how}`,
    )
  }
}

const numberOf = (request: ResourceRequest, name: string): number | undefined => {
  const value = request.query.get(name)
  return value === null || value === '' ? undefined : Number(value)
}

/** What a container wrote; with `follow` also what it goes on to write. */
export function podLogs(request: ResourceRequest): Reply {
  const { context, path, query } = request
  const container = containerOf(request)
  checkStarted(request, container)
  const read = context.podLog()
  if (!read) throw new KubeError(503, 'ServiceUnavailable', 'no node answers for this pod yet')
  const log = read(path.namespace ?? '', nameOf(request), {
    container,
    follow: query.get('follow') === 'true',
    previous: query.get('previous') === 'true',
    tailLines: numberOf(request, 'tailLines'),
    sinceSeconds: numberOf(request, 'sinceSeconds'),
  })
  const limit = numberOf(request, 'limitBytes')
  const text = limit === undefined ? log.text : Buffer.from(log.text).subarray(0, limit).toString()
  if (query.get('follow') !== 'true') return plain(text)
  return {
    stream(response) {
      response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-cache, private' })
      response.write(text)
      const stopLog = log.onLine((line) => response.write(line.endsWith('\n') ? line : `${line}\n`))
      const stopWatch = context.watches.follow('/pods', ({ event }) => {
        const { namespace, name } = event.object.metadata
        if (namespace !== path.namespace || name !== path.name) return
        const phase = docOf(event.object.status).phase
        if (event.type === 'DELETED' || phase === 'Succeeded' || phase === 'Failed') setImmediate(() => response.end())
      })
      response.once('close', () => {
        stopLog()
        stopWatch()
      })
      const phase = docOf(storedObject(request).status).phase
      if (phase === 'Succeeded' || phase === 'Failed') response.end()
    },
  }
}
