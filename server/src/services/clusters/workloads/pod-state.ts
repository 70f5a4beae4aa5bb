import type { KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import type { ObjectState } from '../releases/state-of.ts'
import { conditionsOf, countOf, type Fields, fieldsOf, listOf, textOf } from './fields.ts'

/** Reasons for waiting out of which a pod does not come by itself. */
const stuck = new Set([
  'CrashLoopBackOff',
  'ImagePullBackOff',
  'ErrImagePull',
  'ErrImageNeverPull',
  'InvalidImageName',
  'ImageInspectError',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
])
/** The scheduler needs a moment, and so does a volume that is just being made. */
const schedulingGraceMs = 10_000

interface ContainerState {
  name: string
  image: string
  init: boolean
  ready: boolean
  restarts: number
  state: string
  message: string | null
}

export function stateOfPod(pod: KubeObject, now: number): ObjectState {
  const status = fieldsOf(pod.status)
  const phase = textOf(status.phase) || 'Pending'
  const containers = containersOf(pod)
  const running = containers.filter(({ init }) => !init)
  const ready = running.filter((container) => container.ready).length
  const detail = `${ready} of ${running.length} ready`
  if (phase === 'Succeeded') return { state: 'healthy', detail: 'Completed', message: null }
  if (phase === 'Failed')
    return { state: 'failed', detail: textOf(status.reason) || 'Failed', message: whyFailed(status, containers) }
  const bad = containers.find(({ state }) => stuck.has(state))
  if (bad)
    return { state: 'degraded', detail: bad.state, message: bad.message ? `${bad.state}: ${bad.message}` : bad.state }
  const scheduled = conditionsOf(status).find(({ type }) => type === 'PodScheduled')
  if (scheduled?.status === 'False') {
    const age = now - Date.parse(pod.metadata.creationTimestamp ?? '')
    const state = age < schedulingGraceMs ? 'progressing' : 'degraded'
    return { state, detail: scheduled.reason || 'Unschedulable', message: scheduled.message || 'No node fits' }
  }
  if (phase === 'Running' && ready === running.length) return { state: 'healthy', detail, message: null }
  const waiting = containers.find((container) => !container.ready && container.state !== 'Completed')
  const word = waiting?.state === 'Running' ? 'Running, not ready yet' : waiting?.state
  return { state: 'progressing', detail, message: waiting?.message ?? word ?? phase }
}

/** Containers with how each of them is; init containers first, as they run. */
export function containersOf(pod: KubeObject): ContainerState[] {
  const spec = fieldsOf(pod.spec)
  const status = fieldsOf(pod.status)
  const read = (names: unknown, statuses: unknown, init: boolean) => {
    const known = new Map(listOf(statuses).map((one) => [textOf(one.name), one]))
    return listOf(names).map((one) => containerOf(one, known.get(textOf(one.name)), init))
  }
  return [
    ...read(spec.initContainers, status.initContainerStatuses, true),
    ...read(spec.containers, status.containerStatuses, false),
  ]
}

function containerOf(spec: Fields, status: Fields | undefined, init: boolean): ContainerState {
  const { waiting, terminated, running } = fieldsOf(status?.state)
  const word = running
    ? 'Running'
    : terminated
      ? endedWord(fieldsOf(terminated))
      : textOf(fieldsOf(waiting).reason) || 'Waiting'
  const said = textOf(fieldsOf(waiting).message) || textOf(fieldsOf(terminated).message)
  const last = fieldsOf(fieldsOf(status?.lastState).terminated)
  const lastLines = last.exitCode === undefined ? '' : `it ended with exit code ${countOf(last.exitCode)}`
  return {
    name: textOf(spec.name),
    image: textOf(status?.image) || textOf(spec.image),
    init,
    ready: status?.ready === true,
    restarts: countOf(status?.restartCount),
    state: word,
    message: said || (word === 'CrashLoopBackOff' ? lastLines : '') || null,
  }
}

function endedWord(terminated: Fields): string {
  return textOf(terminated.reason) || (countOf(terminated.exitCode) === 0 ? 'Completed' : 'Error')
}

function whyFailed(status: Fields, containers: readonly ContainerState[]): string {
  const broken = containers.find(({ state }) => state !== 'Completed' && state !== 'Running')
  return textOf(status.message) || broken?.message || broken?.state || textOf(status.reason) || 'The pod failed'
}
