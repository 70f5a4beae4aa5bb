import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/** Kills Helm when this process cannot any more: see `supervisor-main.ts`. */
export interface Supervisor {
  /** Watches over a process group until the returned function is called. */
  watch(group: number): () => void
  close(): void
}

const program = join(import.meta.dirname, 'supervisor-main.ts')

/** Starts with the first Helm; starts again, with everything that runs, when it was killed itself. */
export function createSupervisor(silenceMs: number): Supervisor {
  const groups = new Set<number>()
  let child: ChildProcess | undefined
  let beat: NodeJS.Timeout | undefined
  let isClosed = false

  const write = (line: string) => {
    if (child?.stdin?.writable) child.stdin.write(`${line}\n`)
  }

  function start(): void {
    const next = spawn(process.execPath, ['--max-old-space-size=32', program, String(silenceMs)], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: {},
      // Signals for the portal's group are not for this one.
      detached: true,
    })
    child = next
    next.stdin?.on('error', () => undefined)
    next.on('error', () => undefined)
    next.once('close', () => {
      if (child === next) child = undefined
      if (!isClosed && groups.size > 0) start()
    })
    next.unref()
    for (const group of groups) write(`+${group}`)
  }

  return {
    watch(group) {
      groups.add(group)
      if (child) write(`+${group}`)
      else start()
      beat ??= setInterval(() => write('.'), silenceMs / 4).unref()
      return () => {
        groups.delete(group)
        write(`-${group}`)
      }
    },
    close() {
      isClosed = true
      clearInterval(beat)
      child?.stdin?.end()
    },
  }
}
