import type { HelmOutcome, HelmRun } from './helm.ts'
import { graceMs, type RunLimits } from './limits.ts'
import { createLines, createTail } from './lines.ts'
import type { Supervisor } from './supervisor.ts'

interface Command {
  command: readonly string[]
  cwd: string
  env: Record<string, string>
  limits: RunLimits
  stdoutBytes: number
  /** Ends the run when stdout is longer than what is kept. */
  endAtStdoutLimit?: boolean
  supervisor: Supervisor
}

const stderrBytes = 256 * 1024
const memoryIsOver = /out of memory|cannot allocate memory|failed to (reserve|create new OS) /i
const limitSignals = new Set<NodeJS.Signals | null>(['SIGXCPU', 'SIGXFSZ', 'SIGKILL'])

/** Runs Helm to its end, or ends it: at the deadline, at a limit, or when the caller aborts or terminates it. */
export function runHelm(command: Command, run: HelmRun = {}): Promise<HelmOutcome> {
  const started = performance.now()
  const [file, ...argv] = command.command
  if (!file) throw new Error('there is no command to run')
  const stdout = createTail(command.stdoutBytes)
  const stderr = createTail(stderrBytes)
  const onLine = run.onLine ?? ignore
  const feeds = (['stdout', 'stderr'] as const).map((from) => createLines((line) => onLine(line, from)))
  const [outFeed, errFeed] = feeds
  let cause: HelmOutcome['ended'] | undefined

  return new Promise((resolve, reject) => {
    const signalGroup = command.supervisor.run(
      { file, argv, cwd: command.cwd, env: command.env },
      {
        onStart: () => run.onStart?.(),
        onStdout(chunk) {
          if (run.onLine) outFeed?.push(chunk)
          if (!stdout.push(chunk) && command.endAtStdoutLimit) end('limit', false)
        },
        onStderr(chunk) {
          if (run.onLine) errFeed?.push(chunk)
          stderr.push(chunk)
        },
        onRefused(error) {
          settle()
          reject(error)
        },
        onEnd(code, signal, isLost) {
          settle()
          for (const feed of feeds) feed.end()
          const errors = stderr.text()
          if (isLost) cause ??= 'aborted'
          const ended = cause ?? (isOverLimit(code, signal, errors) ? 'limit' : 'exit')
          resolve({ ended, code, stdout: stdout.text(), stderr: errors, milliseconds: performance.now() - started })
        },
      },
    )
    let grace: NodeJS.Timeout | undefined
    const end = (why: HelmOutcome['ended'], gently: boolean) => {
      cause ??= why
      signalGroup(gently ? 'SIGTERM' : 'SIGKILL')
      if (gently) grace ??= setTimeout(() => signalGroup('SIGKILL'), graceMs)
    }
    const deadline = setTimeout(() => end('deadline', true), command.limits.deadlineSeconds * 1000)
    const onAbort = () => end('aborted', false)
    const onTerminate = () => end('aborted', true)
    const settle = () => {
      clearTimeout(deadline)
      clearTimeout(grace)
      run.signal?.removeEventListener('abort', onAbort)
      run.terminate?.removeEventListener('abort', onTerminate)
    }
    if (run.signal?.aborted) onAbort()
    run.signal?.addEventListener('abort', onAbort, { once: true })
    if (run.terminate?.aborted) onTerminate()
    run.terminate?.addEventListener('abort', onTerminate, { once: true })
  })
}

function ignore(): void {}

function isOverLimit(code: number | null, signal: NodeJS.Signals | null, stderr: string): boolean {
  return limitSignals.has(signal) || (code !== 0 && memoryIsOver.test(stderr))
}
