import type { Engine } from '../engine/engine.ts'
import { millis } from '../engine/engine.ts'
import type { Container, ContainerStatus, Pod } from '../engine/pod-kinds.ts'
import { type LogLine, lifeOf, linesBetween, nextLineAt } from './log-lines.ts'

export interface PodLogOptions {
  container?: string
  follow?: boolean
  previous?: boolean
  tailLines?: number
  sinceSeconds?: number
  sinceTime?: string
  timestamps?: boolean
}

export interface PodLogStream {
  text: string
  /** Hands on what is written from now on; returns what stops it. `onEnd` tells that the container has ended. */
  subscribe(onText: (chunk: string) => void, onEnd?: () => void): () => void
}

/** A log that cannot be read; `code` is the HTTP status for it. */
export class PodLogError extends Error {
  readonly code: number
  readonly reason: string

  constructor(code: number, reason: string, message: string) {
    super(message)
    this.code = code
    this.reason = reason
  }
}

/** The log of a pod's container. It is made from the pod's status on every reading: nothing is stored. */
export function readPodLog(engine: Engine, namespace: string, name: string, options: PodLogOptions): PodLogStream {
  const pod = podOf(engine, namespace, name)
  const container = chosen(pod, options.container)
  const status = statusOf(pod, container)
  const life = lifeOf(pod, status, options.previous === true)
  if (!life) throw unstarted(pod, container, status, options.previous === true)
  const now = engine.clock.now()
  const since = Math.max(
    millis(options.sinceTime),
    options.sinceSeconds === undefined ? 0 : now - options.sinceSeconds * 1000,
  )
  const lines = linesBetween(pod, container, life, since, now)
  const shown = options.tailLines === undefined ? lines : lines.slice(Math.max(lines.length - options.tailLines, 0))
  const format = ({ at, text }: LogLine) => {
    const time = new Date(at).toISOString()
    return `${options.timestamps ? `${time.replace('Z', '000000Z')} ` : ''}time=${time} ${text}\n`
  }
  const recent = lines.filter(({ at }) => at > now - OVERLAP_MS)
  return {
    text: shown.map(format).join(''),
    subscribe: (onText, onEnd = () => {}) =>
      follow(engine, pod, container.name, now, recent, (fresh) => onText(fresh.map(format).join('')), onEnd),
  }
}

function podOf({ store }: Engine, namespace: string, name: string): Pod {
  const pod = store.get('/pods', namespace, name)
  if (!pod) throw new PodLogError(404, 'NotFound', `pods "${name}" not found`)
  return pod
}

function chosen({ metadata, spec }: Pod, asked: string | undefined): Container {
  const all = [...spec.containers, ...(spec.initContainers ?? [])]
  const preset = metadata.annotations?.['kubectl.kubernetes.io/default-container']
  const name = asked || preset || (spec.containers.length === 1 ? spec.containers[0]?.name : undefined)
  const found = all.find((container) => container.name === name)
  if (found) return found
  if (asked) throw new PodLogError(400, 'BadRequest', `container ${asked} is not valid for pod ${metadata.name}`)
  const names = spec.containers.map((container) => container.name).join(' ')
  const inits = (spec.initContainers ?? []).map((container) => container.name).join(' ')
  const others = inits ? ` or one of the init containers: [${inits}]` : ''
  const message = `a container name must be specified for pod ${metadata.name}, choose one of: [${names}]${others}`
  throw new PodLogError(400, 'BadRequest', message)
}

function statusOf({ status }: Pod, { name }: Container): ContainerStatus | undefined {
  return [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].find(
    (one) => one.name === name,
  )
}

function unstarted({ metadata }: Pod, { name }: Container, status: ContainerStatus | undefined, previous: boolean) {
  const where = `container "${name}" in pod "${metadata.name}"`
  if (previous) return new PodLogError(400, 'BadRequest', `previous terminated ${where} not found`)
  const { reason = 'ContainerCreating', message } = status?.state.waiting ?? {}
  const pulling = reason === 'ErrImagePull' || reason === 'ImagePullBackOff'
  const why = pulling ? 'trying and failing to pull image' : reason
  return new PodLogError(
    400,
    'BadRequest',
    `${where} is waiting to start: ${why}${pulling || !message ? '' : `: ${message}`}`,
  )
}

const OVERLAP_MS = 2_000

/** Wakes for the next line that is due and for every change of the pod; keeps nothing once stopped. */
function follow(
  engine: Engine,
  { metadata }: Pod,
  containerName: string,
  from: number,
  shown: LogLine[],
  onLines: (lines: LogLine[]) => void,
  onEnd: () => void,
): () => void {
  const { store, clock } = engine
  let written = from
  let cancel = () => {}
  let over = false
  // Statuses tell whole seconds, so a line may come up a moment behind what was handed on already.
  let recent = new Set(shown.map(({ at, text }) => `${at} ${text}`))

  function hand(lines: LogLine[], now: number) {
    const fresh = lines.filter(({ at, text }) => !recent.has(`${at} ${text}`))
    recent = new Set(lines.filter(({ at }) => at > now - OVERLAP_MS).map(({ at, text }) => `${at} ${text}`))
    if (fresh.length > 0) onLines(fresh)
    written = now + 1
  }

  function look() {
    if (over) return
    cancel()
    const pod = store.get('/pods', metadata.namespace, metadata.name)
    const container =
      pod && [...pod.spec.containers, ...(pod.spec.initContainers ?? [])].find(({ name }) => name === containerName)
    if (!pod || !container || pod.metadata.uid !== metadata.uid) return stop(onEnd)
    const status = statusOf(pod, container)
    const life = lifeOf(pod, status, false)
    const now = clock.now()
    if (life) hand(linesBetween(pod, container, life, written - OVERLAP_MS, now + 1), now)
    const last = ['Succeeded', 'Failed'].includes(pod.status?.phase ?? '')
    if (last && status?.state.terminated) return stop(onEnd)
    const next = life && nextLineAt(life, now)
    if (next !== undefined) cancel = clock.after(next - now, look)
  }

  const unsubscribe = store.subscribe((resource, { object }) => {
    if (resource === '/pods' && object.metadata.uid === metadata.uid) look()
  })

  function stop(then: () => void) {
    if (over) return
    over = true
    cancel()
    unsubscribe()
    then()
  }

  look()
  return () => stop(() => {})
}
