import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** A program of the cluster that was started. */
export interface Running {
  readonly pid: number
  /** Throws, with its last lines, when the program is no longer there. */
  throwIfEnded(): void
  stop(): Promise<void>
}

const exitMs = 10_000

/** Starts a program with flags, its output in a file. It has its own process group: Ctrl-C is for us. */
export function startProgram(path: string, flags: Record<string, string | number>, logFile: string): Running {
  const log = openSync(logFile, 'a', 0o600)
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(path, args, { detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  let failure: Error | undefined
  child.on('error', (error) => {
    failure = error
  })
  return {
    pid: child.pid ?? 0,
    throwIfEnded() {
      if (failure) throw failure
      if (!hasEnded()) return
      const words = readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n')
      throw new Error(`${basename(path)} ended:\n${words}`)
    },
    async stop() {
      if (hasEnded() || !child.pid) return
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      const force = setTimeout(() => child.kill('SIGKILL'), exitMs)
      await gone
      clearTimeout(force)
    },
  }
}
