import { spawn } from 'node:child_process'
import { once } from 'node:events'

interface Bounds {
  cwd: string
  /** Added to our own environment. */
  env: Record<string, string>
  milliseconds: number
}

/** Runs a program, with what it starts, for so long at most. A loop that never yields only ends by SIGKILL. */
export async function runBounded(program: string, args: string[], { cwd, env, milliseconds }: Bounds) {
  const child = spawn(program, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env }, detached: true })
  let isLate = false
  const end = (signal: NodeJS.Signals) => {
    try {
      // A group of its own, as workers outlive the program that started them; Windows knows none.
      if (process.platform === 'win32') child.kill(signal)
      else if (child.pid) process.kill(-child.pid, signal)
    } catch {
      // It has just ended by itself.
    }
  }
  const deadline = setTimeout(() => {
    isLate = true
    end('SIGKILL')
  }, milliseconds)
  const signals = ['SIGINT', 'SIGTERM'] as const
  const stop = (signal: NodeJS.Signals) => {
    end(signal)
    process.exit(130)
  }
  for (const signal of signals) process.on(signal, stop)
  const [code] = await once(child, 'exit')
  clearTimeout(deadline)
  for (const signal of signals) process.off(signal, stop)
  return { code: typeof code === 'number' ? code : 1, isLate }
}
