import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Notice, Order } from './supervisor-messages.ts'

export interface Program {
  file: string
  argv: readonly string[]
  cwd: string
  env: Record<string, string>
}

/** Events of one program, in this order; `onEnd` or `onRefused` is the last. */
export interface Watcher {
  onStart(group: number): void
  onStdout(chunk: Buffer): void
  onStderr(chunk: Buffer): void
  /** `isLost`: the supervisor was killed, and the program with it. */
  onEnd(code: number | null, signal: NodeJS.Signals | null, isLost: boolean): void
  /** It could not be started. */
  onRefused(error: Error): void
}

/** Runs Helm beside this process, and ends it when this process cannot any more: see `supervisor-main.ts`. */
export interface Supervisor {
  /** Returns how to send a signal to it and to all that it started. */
  run(program: Program, watcher: Watcher): (signal: NodeJS.Signals) => void
  close(): void
}

const main = join(import.meta.dirname, 'supervisor-main.ts')

/** Unanswered pings, four in each `silenceMs`, after which the supervisor is killed: 1.5 times that long. */
const mostUnanswered = 6

/** Starts with the first program, and again with the next one when it was killed itself. */
export function createSupervisor(silenceMs: number): Supervisor {
  const running = new Map<number, { watcher: Watcher; group?: number }>()
  let child: ChildProcess | undefined
  let beat: NodeJS.Timeout | undefined
  let runs = 0
  let unanswered = 0

  const send = (order: Order) => {
    // An answer comes by 'close': nothing is known of what the channel still held.
    if (child?.connected) child.send(order, () => undefined)
  }

  function start(): ChildProcess {
    unanswered = 0
    const next = forkSupervisor(silenceMs)
    next.on('message', (notice: Notice) => hear(notice))
    onceOver(next, (error) => {
      if (child === next) child = undefined
      loseAll(error)
    })
    return next
  }

  /** One that stands still runs nothing and ends nothing: without it, what it ran is lost, and the next one is started. */
  function ask(): void {
    if (unanswered >= mostUnanswered) child?.kill('SIGKILL')
    unanswered += 1
    send({ do: 'go-on' })
  }

  function hear(notice: Notice): void {
    unanswered = 0
    const entry = running.get(notice.run)
    if (!entry || notice.is === 'here') return
    if (notice.is === 'started') entry.group = notice.group
    if (notice.is === 'ended' || notice.is === 'refused') forget(notice.run)
    tell(entry.watcher, notice)
  }

  function loseAll(error: Error | undefined): void {
    for (const [run, { watcher, group }] of running) {
      forget(run)
      if (group !== undefined) killGroup(group)
      if (error) watcher.onRefused(error)
      else watcher.onEnd(null, 'SIGKILL', true)
    }
  }

  /** While something runs, this process does not end by itself. */
  function forget(run: number): void {
    running.delete(run)
    if (running.size > 0) return
    child?.unref()
    child?.channel?.unref()
  }

  return {
    run({ file, argv, cwd, env }, watcher) {
      child ??= start()
      beat ??= setInterval(ask, silenceMs / 4).unref()
      runs += 1
      const run = runs
      running.set(run, { watcher })
      child.ref()
      child.channel?.ref()
      send({ do: 'start', run, file, argv, cwd, env })
      return (signal) => send({ do: 'signal', run, signal })
    },
    close() {
      clearInterval(beat)
      if (child?.connected) child.disconnect()
    },
  }
}

/** The kernel has done so already, where it knows of death signals. */
function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // It has.
  }
}

function tell(watcher: Watcher, notice: Notice): void {
  if (notice.is === 'started') watcher.onStart(notice.group)
  else if (notice.is === 'stdout') watcher.onStdout(Buffer.from(notice.chunk))
  else if (notice.is === 'stderr') watcher.onStderr(Buffer.from(notice.chunk))
  else if (notice.is === 'ended') watcher.onEnd(notice.code, notice.signal, false)
  else if (notice.is === 'refused') watcher.onRefused(Object.assign(new Error(notice.message), { code: notice.code }))
}

function forkSupervisor(silenceMs: number): ChildProcess {
  return fork(main, [String(silenceMs)], {
    execArgv: ['--max-old-space-size=32'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
    // Signals for the portal's group are not for this one.
    detached: true,
  })
}

/** Calls `over` once, with an error when the process could not be started. */
function onceOver(child: ChildProcess, over: (error?: Error) => void): void {
  let isOver = false
  const end = (error?: Error) => {
    if (isOver) return
    isOver = true
    over(error)
  }
  child.once('error', end)
  child.once('exit', () => end())
}
