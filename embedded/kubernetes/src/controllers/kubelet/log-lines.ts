import { millis } from '../engine/engine.ts'
import { drawn } from '../engine/names.ts'
import type { Container, ContainerStatus, Pod } from '../engine/pod-kinds.ts'

export interface LogLine {
  at: number
  text: string
}

/** One life of a container: from its start to its end, or to now. */
interface Life {
  startedAt: number
  finishedAt: number | undefined
  exitCode: number | undefined
  readyAt: number | undefined
}

const HEARTBEAT_MS = 30_000
/** Heartbeats further back than this are as if rotated away. */
const MOST_HEARTBEATS = 2_000

/** The life that a log is asked of: the present one, or the one before. */
export function lifeOf(pod: Pod, status: ContainerStatus | undefined, previous: boolean): Life | undefined {
  const { running, terminated } = status?.state ?? {}
  const ended = previous ? status?.lastState.terminated : (terminated ?? status?.lastState.terminated)
  if (!previous && running) {
    const startedAt = millis(running.startedAt)
    return {
      startedAt,
      finishedAt: undefined,
      exitCode: undefined,
      readyAt: status?.ready ? readyTime(pod, startedAt) : undefined,
    }
  }
  if (!ended) return undefined
  const { startedAt, finishedAt, exitCode } = ended
  return {
    startedAt: millis(startedAt, millis(finishedAt)),
    finishedAt: millis(finishedAt),
    exitCode,
    readyAt: undefined,
  }
}

/** The Ready condition's time is of the pod as a whole; a container restarted later is taken to be ready at its start. */
function readyTime(pod: Pod, startedAt: number): number {
  const ready = pod.status?.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True')
  return Math.max(millis(ready?.lastTransitionTime, startedAt), startedAt)
}

/** Log lines of a container between two moments; the same lines each time for the same moments. */
export function linesBetween(pod: Pod, container: Container, life: Life, from: number, to: number): LogLine[] {
  const lines = [
    ...opening(container, life),
    ...readiness(container, life),
    ...heartbeats(pod, container, life, from, to),
    ...ending(container, life),
  ]
  return lines.filter(({ at }) => at >= from && at < to).sort((a, b) => a.at - b.at)
}

/** When the next line is due after `after`, while nothing changes. */
export function nextLineAt(life: Life, after: number): number | undefined {
  if (life.finishedAt !== undefined) return undefined
  const beats = Math.max(Math.floor((after - life.startedAt) / HEARTBEAT_MS) + 1, 1)
  return life.startedAt + beats * HEARTBEAT_MS
}

const info = (at: number, message: string): LogLine => ({ at, text: `level=info msg=${JSON.stringify(message)}` })

function opening({ name, image, command, args, ports }: Container, { startedAt }: Life): LogLine[] {
  const line = [...(command ?? []), ...(args ?? [])].join(' ')
  const listening = (ports ?? []).map(({ containerPort, protocol, name: port }) =>
    info(
      startedAt + 120,
      `listening on :${containerPort}/${(protocol ?? 'TCP').toLowerCase()}${port ? ` (${port})` : ''}`,
    ),
  )
  return [
    info(startedAt, `simulated container ${name} of image ${image} starting`),
    ...(line ? [info(startedAt + 20, `arguments: ${line.length > 400 ? `${line.slice(0, 400)}…` : line}`)] : []),
    info(startedAt + 60, 'configuration loaded'),
    ...listening,
  ]
}

function readiness({ readinessProbe }: Container, { readyAt }: Life): LogLine[] {
  if (readyAt === undefined) return []
  const path = readinessProbe?.httpGet?.path
  return [info(readyAt + 150, path ? `ready, answering ${path}` : 'ready')]
}

function heartbeats(
  { metadata }: Pod,
  { name }: Container,
  { startedAt, finishedAt }: Life,
  from: number,
  to: number,
): LogLine[] {
  const end = Math.min(to, finishedAt ?? Infinity)
  const last = Math.floor((end - startedAt) / HEARTBEAT_MS)
  const first = Math.max(Math.ceil((from - startedAt) / HEARTBEAT_MS), 1, last - MOST_HEARTBEATS)
  const lines: LogLine[] = []
  for (let beat = first; beat <= last; beat++) {
    const served = drawn(`${metadata.uid} ${name} ${beat}`, 3, 240)
    lines.push(
      info(
        startedAt + beat * HEARTBEAT_MS,
        `alive for ${(beat * HEARTBEAT_MS) / 1000}s, ${served} operations in the last 30s`,
      ),
    )
  }
  return lines
}

function ending({ name }: Container, { finishedAt, exitCode }: Life): LogLine[] {
  if (finishedAt === undefined || exitCode === undefined) return []
  if (exitCode === 0) return [info(finishedAt, `${name} done, exit code 0`)]
  const text = `level=error msg=${JSON.stringify(`${name} failed as asked for, exit code ${exitCode}`)}`
  return [{ at: finishedAt, text }]
}
