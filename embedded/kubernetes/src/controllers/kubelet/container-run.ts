import { millis } from '../engine/engine.ts'
import { drawn, pseudoDigest } from '../engine/names.ts'
import type { Container, ContainerStatus } from '../engine/pod-kinds.ts'
import { fullReference, imageBytes, imageId, isUnpullableFor, pullError, pullMs, pullsAlways } from './images.ts'
import { environmentProblem } from './references.ts'
import { forget, isDue, type Scene, say, wakeIn } from './scene.ts'

type Role = 'init' | 'sidecar' | 'main'

const BACKOFF = { first: 10_000, last: 300_000 }
const SLOW_START_MS = 30_000
/** Probes pass after their initial delay, but nobody waits longer than this for a healthy pod. */
const LONGEST_WARM_UP_MS = 3_000

const backoff = (attempt: number) => Math.min(BACKOFF.first * 2 ** attempt, BACKOFF.last)
const seconds = (ms: number) => (ms >= 60_000 ? `${Math.floor(ms / 60_000)}m${(ms % 60_000) / 1000}s` : `${ms / 1000}s`)

interface Turn {
  scene: Scene
  container: Container
  status: ContainerStatus
  role: Role
  path: string
}

/** Moves one container as far as time allows and returns its new status. */
export function stepContainer(
  scene: Scene,
  container: Container,
  status: ContainerStatus,
  role: Role,
): ContainerStatus {
  const path = `spec.${role === 'main' ? 'containers' : 'initContainers'}{${container.name}}`
  const turn = { scene, container, status, role, path }
  const { waiting, running, terminated } = status.state
  if (running) return whileRunning(turn, running.startedAt)
  if (terminated) return restarts(turn, terminated.exitCode) ? restart(turn) : status
  switch (waiting?.reason) {
    case 'ErrImagePull':
    case 'ImagePullBackOff':
      return pullBackoff(turn)
    case 'CrashLoopBackOff':
      return crashBackoff(turn)
    default:
      return begin(turn)
  }
}

function waitingFor(status: ContainerStatus, reason: string, message?: string): ContainerStatus {
  return { ...status, ready: false, started: false, state: { waiting: message ? { reason, message } : { reason } } }
}

function begin(turn: Turn): ContainerStatus {
  const { scene, container, status, path } = turn
  const { image, name } = container
  const key = (what: string) => `${name}:${what}`
  if (!scene.timetable.has(key('pulled'))) {
    const fails = isUnpullableFor(image, scene.fault)
    const present = scene.images.has(image)
    if (present && !fails && !pullsAlways(image, container.imagePullPolicy)) {
      say(scene, 'Normal', 'Pulled', `Container image "${image}" already present on machine`, path)
    } else if (!present && container.imagePullPolicy === 'Never') {
      return neverPulled(turn)
    } else {
      if (!scene.timetable.has(key('pull'))) say(scene, 'Normal', 'Pulling', `Pulling image "${image}"`, path)
      const slow = scene.fault === 'slow-start' ? SLOW_START_MS / 3 : 0
      const took = (present ? 120 : pullMs(image)) + slow
      if (!isDue(scene, key('pull'), took)) return status
      if (fails) return pullFailed(turn)
      const text = `${(took / 1000).toFixed(3).replace(/0+$/, '')}s`
      const size = `Image size: ${imageBytes(image)} bytes.`
      say(
        scene,
        'Normal',
        'Pulled',
        `Successfully pulled image "${image}" in ${text} (${text} including waiting). ${size}`,
        path,
      )
      scene.images.add(image)
    }
    scene.timetable.set(key('pulled'), scene.now)
  }
  const problem = environmentProblem(scene.engine.store, scene.pod, container)
  if (problem) {
    scene.blocked = true
    if (status.state.waiting?.message !== problem) say(scene, 'Warning', 'Failed', `Error: ${problem}`, path)
    return waitingFor(status, 'CreateContainerConfigError', problem)
  }
  return start(turn)
}

function neverPulled({ scene, container, status, path }: Turn): ContainerStatus {
  const message = `Container image "${container.image}" is not present with pull policy of Never`
  if (status.state.waiting?.reason !== 'ErrImageNeverPull') {
    say(scene, 'Warning', 'ErrImageNeverPull', message, path)
    say(scene, 'Warning', 'Failed', 'Error: ErrImageNeverPull', path)
  }
  return waitingFor(status, 'ErrImageNeverPull', message)
}

function pullFailed({ scene, container, status, path }: Turn): ContainerStatus {
  const { image, name } = container
  const error = pullError(image)
  const attempt = scene.timetable.get(`${name}:attempt`) ?? 0
  forget(scene, `${name}:`)
  scene.timetable.set(`${name}:attempt`, attempt + 1)
  scene.timetable.set(`${name}:retry`, scene.now + backoff(attempt))
  scene.timetable.set(`${name}:back-off`, scene.now + 1_000)
  say(scene, 'Warning', 'Failed', `Failed to pull image "${image}": ${error}`, path)
  say(scene, 'Warning', 'Failed', 'Error: ErrImagePull', path)
  wakeIn(scene, 1_000)
  return waitingFor(status, 'ErrImagePull', error)
}

function pullBackoff(turn: Turn): ContainerStatus {
  const { scene, container, status, path } = turn
  const { image, name } = container
  if (scene.timetable.has(`${name}:pull`)) return begin(turn)
  if (!isUnpullableFor(image, scene.fault) || isDue(scene, `${name}:retry`, 0)) {
    const attempt = scene.timetable.get(`${name}:attempt`) ?? 0
    forget(scene, `${name}:`)
    scene.timetable.set(`${name}:attempt`, attempt)
    return begin(turn)
  }
  if (status.state.waiting?.reason === 'ImagePullBackOff' || !isDue(scene, `${name}:back-off`, 0)) return status
  say(scene, 'Normal', 'BackOff', `Back-off pulling image "${image}"`, path)
  say(scene, 'Warning', 'Failed', 'Error: ImagePullBackOff', path)
  const error = `ErrImagePull: ${pullError(image)}`
  return waitingFor(status, 'ImagePullBackOff', `Back-off pulling image "${image}": ${error}`)
}

function start(turn: Turn): ContainerStatus {
  const { scene, container, status, path } = turn
  forget(scene, `${container.name}:`)
  say(scene, 'Normal', 'Created', `Created container: ${container.name}`, path)
  say(scene, 'Normal', 'Started', `Started container ${container.name}`, path)
  scene.timetable.set(`${container.name}:since`, scene.now)
  const instance = `${scene.pod.metadata.uid}/${container.name}/${status.restartCount}`
  const fresh: ContainerStatus = {
    ...status,
    image: fullReference(container.image),
    imageID: imageId(container.image),
    containerID: `containerd://${pseudoDigest(instance)}`,
    started: false,
    ready: false,
    state: { running: { startedAt: scene.stamp } },
  }
  return whileRunning({ ...turn, status: fresh }, scene.stamp)
}

function whileRunning(turn: Turn, startedAt: string): ContainerStatus {
  const { scene, container, status, role } = turn
  const since = scene.timetable.get(`${container.name}:since`) ?? Math.min(millis(startedAt), scene.now)
  const runs = runTime(turn)
  if (runs) {
    if (since + runs.ms <= scene.now) return exit(turn, startedAt, runs.exitCode)
    wakeIn(scene, since + runs.ms - scene.now)
  }
  if (role === 'init') return { ...status, started: true }
  return probed(turn, since)
}

/** How long a container runs before it ends by itself, and how; nothing for one that serves for ever. */
function runTime({ scene, container, status, role }: Turn): { ms: number; exitCode: number } | undefined {
  const draw = (low: number, high: number) =>
    drawn(`${container.image} ${container.name} ${status.restartCount}`, low, high)
  if (role === 'init') return { ms: draw(150, 500), exitCode: 0 }
  if (role === 'sidecar') return undefined
  if (scene.fault === 'crash-loop') return { ms: draw(500, 1_200), exitCode: 1 }
  if ((scene.pod.spec.restartPolicy ?? 'Always') === 'Always') return undefined
  return { ms: draw(500, 2_000), exitCode: scene.fault === 'failing-job' ? 1 : 0 }
}

function probed({ scene, container, status, role, path }: Turn, since: number): ContainerStatus {
  if (status.ready && scene.fault !== 'never-ready') return status
  const { startup, readiness } = warmUp(container, scene.fault === 'slow-start')
  const age = scene.now - since
  const started = age >= startup
  // A container that is about to crash must not look healthy for the second that it lives.
  const crashing = scene.fault === 'crash-loop' && role === 'main'
  const held = scene.fault === 'never-ready' && role === 'main'
  const ready = age >= readiness && !held && !crashing
  if (crashing) return started === status.started ? status : { ...status, started }
  if (held && age >= readiness) {
    if (isDue(scene, `${container.name}:unhealthy`, 0)) {
      scene.timetable.set(`${container.name}:unhealthy`, scene.now + 10_000)
      say(scene, 'Warning', 'Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503', path)
    }
    wakeIn(scene, 10_000)
  } else if (!ready) wakeIn(scene, (started ? readiness : startup) - age)
  return started === status.started && ready === status.ready ? status : { ...status, started, ready }
}

function warmUp(container: Container, slow: boolean): { startup: number; readiness: number } {
  const { startupProbe, readinessProbe } = container
  const settle = drawn(`warm ${container.image}`, 150, 450)
  const delay = (probe: { initialDelaySeconds?: number } | undefined) =>
    probe ? (probe.initialDelaySeconds ?? 0) * 1000 + settle : 0
  const extra = slow ? SLOW_START_MS : 0
  const startup = Math.min(delay(startupProbe), LONGEST_WARM_UP_MS / 2) + (startupProbe ? extra : 0)
  const readiness = Math.min(startup + delay(readinessProbe), LONGEST_WARM_UP_MS)
  return { startup, readiness: Math.max(readiness, startup) + (startupProbe ? 0 : extra) }
}

function exit({ scene, container, status, role }: Turn, startedAt: string, exitCode: number): ContainerStatus {
  forget(scene, `${container.name}:`)
  scene.exited(container.name, exitCode)
  const reason = exitCode === 0 ? 'Completed' : 'Error'
  const { containerID } = status
  const terminated = { exitCode, reason, startedAt, finishedAt: scene.stamp, containerID }
  return { ...status, ready: role === 'init' && exitCode === 0, started: false, state: { terminated } }
}

function restarts({ scene, role }: Turn, exitCode: number): boolean {
  const policy = scene.pod.spec.restartPolicy ?? 'Always'
  if (role === 'init') return exitCode !== 0 && policy !== 'Never'
  if (role === 'sidecar') return true
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0)
}

/** The first restart comes at once, every later one after a pause that doubles. */
function restart(turn: Turn): ContainerStatus {
  const { scene, container, status, path } = turn
  const { name } = container
  if (status.restartCount === 0) {
    return isDue(scene, `${name}:restart`, 300) ? startAgain(turn) : status
  }
  const pod = `${scene.pod.metadata.name}_${scene.pod.metadata.namespace}(${scene.pod.metadata.uid})`
  const pause = seconds(backoff(status.restartCount - 1))
  say(scene, 'Warning', 'BackOff', `Back-off restarting failed container ${name} in pod ${pod}`, path)
  wakeIn(scene, backoff(status.restartCount - 1))
  return {
    ...waitingFor(status, 'CrashLoopBackOff', `back-off ${pause} restarting failed container=${name} pod=${pod}`),
    lastState: { terminated: status.state.terminated },
  }
}

function crashBackoff(turn: Turn): ContainerStatus {
  const { scene, status } = turn
  const since = millis(status.lastState.terminated?.finishedAt, scene.now)
  const left = since + backoff(Math.max(status.restartCount - 1, 0)) - scene.now
  const healed = scene.fault !== 'crash-loop' && scene.fault !== 'failing-job'
  if (left <= 0 || healed) return startAgain(turn)
  wakeIn(scene, left)
  return status
}

function startAgain(turn: Turn): ContainerStatus {
  const { status } = turn
  const terminated = status.state.terminated ?? status.lastState.terminated
  const again: ContainerStatus = {
    ...status,
    restartCount: status.restartCount + 1,
    lastState: terminated ? { terminated } : {},
  }
  return begin({ ...turn, status: again })
}
