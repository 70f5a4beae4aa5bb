import { conditionOf, withCondition } from '../engine/conditions.ts'
import { millis } from '../engine/engine.ts'
import type { Condition, Container, ContainerStatus, Pod, PodStatus } from '../engine/pod-kinds.ts'
import { stepContainer } from './container-run.ts'
import { missingPullSecrets, mountProblem } from './references.ts'
import { isDue, type Scene, say, wakeIn } from './scene.ts'

/** Moves a pod on its node as far as time allows; the status it has afterwards. */
export function stepPod(scene: Scene): PodStatus {
  const { pod, node } = scene
  const status = pod.status?.startTime ? { ...pod.status } : firstStatus(pod, scene.stamp)
  const address = node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address ?? '172.18.0.2'
  status.hostIP = address
  status.hostIPs = [{ ip: address }]
  if (isOverdue(scene, status)) return overdue(scene, status)
  if (!status.podIP && !makeSandbox(scene, status)) return concluded(scene, status)
  const initialized = runInitContainers(scene, status)
  if (initialized) runContainers(scene, status)
  return concluded(scene, status, initialized)
}

function firstStatus({ spec, status }: Pod, stamp: string): PodStatus {
  const blank =
    (reason: string) =>
    (container: Container): ContainerStatus => ({
      name: container.name,
      image: container.image,
      imageID: '',
      ready: false,
      started: false,
      restartCount: 0,
      state: { waiting: { reason } },
      lastState: {},
    })
  const inits = spec.initContainers ?? []
  const reason = inits.length > 0 ? 'PodInitializing' : 'ContainerCreating'
  return {
    ...status,
    phase: 'Pending',
    startTime: stamp,
    initContainerStatuses: inits.length > 0 ? inits.map(blank('PodInitializing')) : undefined,
    containerStatuses: spec.containers.map(blank(reason)),
  }
}

function isOverdue(scene: Scene, { startTime }: PodStatus): boolean {
  const deadline = scene.pod.spec.activeDeadlineSeconds
  if (deadline === undefined || deadline === null) return false
  const left = millis(startTime, scene.now) + deadline * 1000 - scene.now
  if (left > 0) wakeIn(scene, left)
  return left <= 0
}

function overdue(scene: Scene, status: PodStatus): PodStatus {
  const message = 'Pod was active on the node longer than the specified deadline'
  say(scene, 'Normal', 'DeadlineExceeded', message)
  return { ...stopped(status, scene.stamp, 137), phase: 'Failed', reason: 'DeadlineExceeded', message }
}

/** Volumes mounted, then a network address. */
function makeSandbox(scene: Scene, status: PodStatus): boolean {
  const problem = mountProblem(scene.engine.store, scene.pod)
  if (problem) {
    scene.blocked = true
    const attempts = scene.timetable.get('mount-attempts') ?? 0
    if (isDue(scene, 'mount', 0)) {
      const pause = Math.min(1_000 * 2 ** attempts, 122_000)
      scene.timetable.set('mount-attempts', attempts + 1)
      scene.timetable.set('mount', scene.now + pause)
      say(scene, 'Warning', 'FailedMount', problem)
      wakeIn(scene, pause)
    }
    return false
  }
  if (!isDue(scene, 'sandbox', 80)) return false
  const ip = scene.pod.spec.hostNetwork ? (status.hostIP ?? '') : scene.allocateIp()
  status.podIP = ip
  status.podIPs = [{ ip }]
  const missing = missingPullSecrets(scene.engine.store, scene.pod)
  if (missing.length > 0) {
    const message = `Unable to retrieve some image pull secrets (${missing.join(', ')}); attempting to pull the image may not succeed.`
    say(scene, 'Warning', 'FailedToRetrieveImagePullSecret', message)
  }
  return true
}

/** One after another; a sidecar lets the next begin once it has started. */
function runInitContainers(scene: Scene, status: PodStatus): boolean {
  const statuses = [...(status.initContainerStatuses ?? [])]
  let done = true
  for (const [index, container] of (scene.pod.spec.initContainers ?? []).entries()) {
    const before = statuses[index]
    if (!before || !done) continue
    const sidecar = container.restartPolicy === 'Always'
    if (sidecar && isFinishing(scene, status)) {
      statuses[index] = before.state.running ? ended(before, scene.stamp, 0) : before
      continue
    }
    const after =
      sidecar || before.state.terminated?.exitCode !== 0
        ? stepContainer(scene, container, before, sidecar ? 'sidecar' : 'init')
        : before
    statuses[index] = after
    done = sidecar
      ? after.started === true || after.state.terminated?.exitCode === 0
      : after.state.terminated?.exitCode === 0
  }
  if (statuses.length > 0) status.initContainerStatuses = statuses
  return done
}

/** Every main container has ended for good: sidecars have nothing left to accompany. */
function isFinishing({ pod }: Scene, { containerStatuses = [] }: PodStatus): boolean {
  const policy = pod.spec.restartPolicy ?? 'Always'
  if (policy === 'Always' || containerStatuses.length === 0) return false
  return containerStatuses.every(
    ({ state }) => state.terminated && (policy === 'Never' || state.terminated.exitCode === 0),
  )
}

function runContainers(scene: Scene, status: PodStatus): void {
  status.containerStatuses = scene.pod.spec.containers.map((container, index) => {
    const before = status.containerStatuses?.[index]
    if (before) return stepContainer(scene, container, before, 'main')
    return {
      name: container.name,
      image: container.image,
      imageID: '',
      ready: false,
      restartCount: 0,
      state: {},
      lastState: {},
    }
  })
  // The last main container may have ended just now.
  if (isFinishing(scene, status)) runInitContainers(scene, status)
}

function phaseOf({ spec }: Pod, { containerStatuses = [] }: PodStatus, initialized: boolean): string {
  if (!initialized) return 'Pending'
  const states = containerStatuses.map(({ state, lastState }) => ({
    ...state,
    restarted: lastState.terminated !== undefined,
  }))
  if (states.some(({ waiting, restarted }) => waiting && !restarted)) return 'Pending'
  const policy = spec.restartPolicy ?? 'Always'
  if (policy === 'Always' || states.some(({ terminated }) => !terminated)) return 'Running'
  if (states.every(({ terminated }) => terminated?.exitCode === 0)) return 'Succeeded'
  return policy === 'Never' ? 'Failed' : 'Running'
}

function concluded(scene: Scene, status: PodStatus, initialized = false): PodStatus {
  const failedInit = status.initContainerStatuses?.some(
    ({ state }) => state.terminated && state.terminated.exitCode !== 0,
  )
  const lost = failedInit && scene.pod.spec.restartPolicy === 'Never'
  const phase = lost ? 'Failed' : phaseOf(scene.pod, status, initialized)
  const next = { ...status, phase, observedGeneration: scene.pod.metadata.generation }
  return { ...next, conditions: podConditions(scene.pod, next, initialized, scene.stamp) }
}

/** The five conditions of a pod, as the kubelet derives them from its containers. */
export function podConditions({ spec }: Pod, status: PodStatus, initialized: boolean, stamp: string): Condition[] {
  const unready = (status.containerStatuses ?? []).filter(({ ready }) => !ready).map(({ name }) => name)
  const pending = (status.initContainerStatuses ?? []).filter(({ ready, started }) => !ready && !started)
  const names = (list: string[]) => `[${list.join(' ')}]`
  const over = status.phase === 'Succeeded' ? 'PodCompleted' : status.phase === 'Failed' ? 'PodFailed' : undefined
  const containers: Omit<Condition, 'type'> = over
    ? { status: 'False', reason: over }
    : unready.length > 0
      ? { status: 'False', reason: 'ContainersNotReady', message: `containers with unready status: ${names(unready)}` }
      : { status: 'True' }
  const gate = (spec.readinessGates ?? []).find(
    ({ conditionType }) => conditionOf(status.conditions, conditionType)?.status !== 'True',
  )
  const gated =
    gate && containers.status === 'True'
      ? {
          status: 'False',
          reason: 'ReadinessGatesNotReady',
          message: `corresponding condition of pod readiness gate "${gate.conditionType}" does not exist.`,
        }
      : containers
  const init: Omit<Condition, 'type'> = initialized
    ? { status: 'True', ...(status.phase === 'Succeeded' ? { reason: 'PodCompleted' } : {}) }
    : {
        status: 'False',
        reason: 'ContainersNotInitialized',
        message: `containers with incomplete status: ${names(pending.map(({ name }) => name))}`,
      }
  const hasInits = (spec.initContainers ?? []).length > 0
  const list: Condition[] = [
    { type: 'PodReadyToStartContainers', status: status.podIP && !over ? 'True' : 'False' },
    { type: 'Initialized', ...(initialized || hasInits ? init : { status: 'True' }) },
    { type: 'Ready', ...gated },
    { type: 'ContainersReady', ...containers },
    { type: 'PodScheduled', status: 'True' },
  ]
  return list.reduce(
    (conditions, condition) => withCondition(conditions, { lastProbeTime: null, ...condition }, stamp),
    status.conditions ?? [],
  )
}

function ended(status: ContainerStatus, stamp: string, exitCode: number): ContainerStatus {
  const reason = exitCode === 0 ? 'Completed' : 'Error'
  const startedAt = status.state.running?.startedAt
  const terminated = { exitCode, reason, startedAt, finishedAt: stamp, containerID: status.containerID }
  return { ...status, ready: false, started: false, state: { terminated } }
}

/** The status of a pod all of whose running containers were stopped. */
export function stopped(status: PodStatus, stamp: string, exitCode: number): PodStatus {
  const end = (one: ContainerStatus) => (one.state.terminated ? one : ended(one, stamp, exitCode))
  return {
    ...status,
    initContainerStatuses: status.initContainerStatuses?.map((one) => (one.state.running ? end(one) : one)),
    containerStatuses: status.containerStatuses?.map(end),
  }
}
