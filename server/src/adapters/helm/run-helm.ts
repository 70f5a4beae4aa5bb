import { spawn } from 'node:child_process'
import type { HelmOutcome, HelmRun } from './helm.ts'
import type { RunLimits } from './limits.ts'
import { createLines, createTail } from './lines.ts'
import type { Supervisor } from './supervisor.ts'

export interface Command {
  command: readonly string[]
  cwd: string
  env: Record<string, string>
  limits: RunLimits
  stdoutBytes: number
  /** Ends the run when stdout is longer than what is kept. */
  endAtStdoutLimit?: boolean
  /** Ends the run when this process cannot. */
  supervisor?: Supervisor
}

const stderrBytes = 256 * 1024
const graceMs = 10_000
const memoryIsOver = /out of memory|cannot allocate memory|failed to (reserve|create new OS) /i
const limitSignals = new Set<NodeJS.Signals | null>(['SIGXCPU', 'SIGXFSZ', 'SIGKILL'])

/** Runs Helm to its end, or ends it: at the deadline, at a limit, or when the caller aborts. */
export function runHelm(command: Command, run: HelmRun = {}): Promise<HelmOutcome> {
  const started = performance.now()
  const [file, ...argv] = command.command
  if (!file) throw new Error('there is no command to run')
  const stdout = createTail(command.stdoutBytes)
  const stderr = createTail(stderrBytes)
  const feeds = [createLines(run.onLine ?? ignore), createLines(run.onLine ?? ignore)] as const
  let cause: HelmOutcome['ended'] | undefined

  const child = spawn(file, argv, {
    cwd: command.cwd,
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that ending it ends everything it started.
    detached: true,
  })
  const killer = createKiller(child.pid)
  const unwatch = child.pid === undefined ? undefined : command.supervisor?.watch(child.pid)
  if (child.pid !== undefined) run.onStart?.()
  const end = (why: HelmOutcome['ended'], gently: boolean) => {
    cause ??= why
    killer.end(gently)
  }
  const deadline = setTimeout(() => end('deadline', true), command.limits.wallSeconds * 1000)
  const onAbort = () => end('aborted', false)
  if (run.signal?.aborted) onAbort()
  run.signal?.addEventListener('abort', onAbort, { once: true })

  child.stdout.on('data', (chunk: Buffer) => {
    if (run.onLine) feeds[0].push(chunk)
    if (!stdout.push(chunk) && command.endAtStdoutLimit) end('limit', false)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    if (run.onLine) feeds[1].push(chunk)
    stderr.push(chunk)
  })

  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(deadline)
      killer.done()
      unwatch?.()
      run.signal?.removeEventListener('abort', onAbort)
    }
    child.once('error', (error) => {
      settle()
      reject(error)
    })
    child.once('close', (code, signal) => {
      settle()
      for (const feed of feeds) feed.end()
      const errors = stderr.text()
      const ended = cause ?? (isOverLimit(code, signal, errors) ? 'limit' : 'exit')
      resolve({ ended, code, stdout: stdout.text(), stderr: errors, milliseconds: performance.now() - started })
    })
  })
}

function ignore(): void {}

function isOverLimit(code: number | null, signal: NodeJS.Signals | null, stderr: string): boolean {
  return limitSignals.has(signal) || (code !== 0 && memoryIsOver.test(stderr))
}

function createKiller(pid: number | undefined) {
  let timer: NodeJS.Timeout | undefined
  const signalGroup = (signal: NodeJS.Signals) => {
    if (pid === undefined) return
    try {
      process.kill(-pid, signal)
    } catch (error) {
      // It ended by itself in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
  return {
    end(gently: boolean) {
      if (!gently) return signalGroup('SIGKILL')
      signalGroup('SIGTERM')
      timer ??= setTimeout(() => signalGroup('SIGKILL'), graceMs)
    },
    done: () => clearTimeout(timer),
  }
}
