import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node'
import { age } from './age.ts'
import { AGE, type Column, NONE, text, wide } from './column.ts'

const isSidecar = (pod: V1Pod, name: string): boolean =>
  pod.spec?.initContainers?.some((container) => container.name === name && container.restartPolicy === 'Always') ??
  false

function terminatedReason({ state }: V1ContainerStatus): string {
  const { reason, signal, exitCode } = state?.terminated ?? {}
  if (reason) return reason
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`
}

/** Why the pod is still at its init containers; nothing when it is past them. */
function initReason(pod: V1Pod): string | undefined {
  const statuses = pod.status?.initContainerStatuses ?? []
  for (const [index, status] of statuses.entries()) {
    const { terminated, waiting } = status.state ?? {}
    if (terminated?.exitCode === 0) continue
    if (isSidecar(pod, status.name) && status.started) continue
    if (terminated) return `Init:${terminatedReason(status)}`
    if (waiting?.reason && waiting.reason !== 'PodInitializing') return `Init:${waiting.reason}`
    return `Init:${index}/${pod.spec?.initContainers?.length ?? 0}`
  }
  return undefined
}

function mainReason(pod: V1Pod, start: string): string {
  let reason = start
  let running = false
  for (const status of (pod.status?.containerStatuses ?? []).toReversed()) {
    const { waiting, terminated } = status.state ?? {}
    if (waiting?.reason) reason = waiting.reason
    else if (terminated) reason = terminatedReason(status)
    else if (status.ready && status.state?.running) running = true
  }
  if (reason !== 'Completed' || !running) return reason
  const ready = pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')
  return ready ? 'Running' : 'NotReady'
}

/** The one word that says how a pod is. */
function podReason(pod: V1Pod): string {
  const { status, metadata } = pod
  let reason = status?.reason || status?.phase || ''
  const gated = status?.conditions?.find(({ type }) => type === 'PodScheduled')?.reason === 'SchedulingGated'
  if (gated) reason = 'SchedulingGated'
  reason = initReason(pod) ?? mainReason(pod, reason)
  if (!metadata?.deletionTimestamp) return reason
  if (status?.reason === 'NodeLost') return 'Unknown'
  return status?.phase === 'Succeeded' || status?.phase === 'Failed' ? reason : 'Terminating'
}

const counted = (pod: V1Pod): V1ContainerStatus[] => [
  ...(pod.status?.containerStatuses ?? []),
  ...(pod.status?.initContainerStatuses ?? []).filter(({ name }) => isSidecar(pod, name)),
]

function ready(pod: V1Pod): string {
  const sidecars = pod.spec?.initContainers?.filter(({ restartPolicy }) => restartPolicy === 'Always').length ?? 0
  const all = (pod.spec?.containers.length ?? 0) + sidecars
  return `${counted(pod).filter((status) => status.ready).length}/${all}`
}

function restarts(pod: V1Pod, now: number): string {
  const statuses = initReason(pod) ? (pod.status?.initContainerStatuses ?? []) : counted(pod)
  const total = statuses.reduce((sum, { restartCount }) => sum + restartCount, 0)
  const ends = statuses.flatMap(({ lastState }) => lastState?.terminated?.finishedAt ?? []).map(String)
  const last = ends.sort().at(-1)
  return total > 0 && last ? `${total} (${age(last, now)} ago)` : String(total)
}

const gates = (pod: V1Pod): string => {
  const wanted = pod.spec?.readinessGates ?? []
  if (wanted.length === 0) return NONE
  const met = wanted.filter(({ conditionType }) =>
    pod.status?.conditions?.some(({ type, status }) => type === conditionType && status === 'True'),
  )
  return `${met.length}/${wanted.length}`
}

export const POD_COLUMNS: readonly Column[] = [
  text('Ready', ready),
  text('Status', podReason),
  text('Restarts', restarts),
  AGE,
  wide(text<V1Pod>('IP', ({ status }) => status?.podIP || NONE)),
  wide(text<V1Pod>('Node', ({ spec }) => spec?.nodeName || NONE)),
  wide(text<V1Pod>('Nominated Node', ({ status }) => status?.nominatedNodeName || NONE)),
  wide(text('Readiness Gates', gates)),
]
