import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Obstacle } from '../obstacle.ts'
import { openLog } from './log-file.ts'

export type Portal = {
  pid: number
  /** Resolves when the portal has ended, with how; wanted or not. */
  exited: Promise<string>
  close(): Promise<void>
}

type Options = { root: string; url: string; env: Record<string, string>; logFile: string; watch?: boolean }

/**
 * Starts the portal as a process of its own and waits until it is ready. It hangs on an IPC channel: when this process
 * dies, however that happens, the channel breaks and the portal ends too.
 */
export async function startPortal({ root, url, env, logFile, watch = false }: Options): Promise<Portal> {
  const log = openLog(logFile)
  const main = join(root, 'server', 'src', 'main.ts')
  const child = spawn(process.execPath, [...(watch ? ['--watch', '--watch-preserve-output'] : []), main], {
    cwd: root,
    env: {
      ...systemEnv(),
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
      ...env,
      QUAYSIDE_EXIT_WITH_PARENT: 'true',
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.stdout?.pipe(log, { end: false })
  child.stderr?.pipe(log, { end: false })
  if (watch) child.stdout?.pipe(process.stdout, { end: false })
  if (watch) child.stderr?.pipe(process.stderr, { end: false })
  const exited = once(child, 'exit').then(([code, signal]) => String(signal ?? `code ${code}`))
  exited.then(() => log.end())
  const portal = { pid: child.pid ?? 0, exited, close: () => stop(child, exited) }
  try {
    await untilReady(url, child)
  } catch (error) {
    await portal.close()
    throw new Obstacle(`The portal did not start: ${error instanceof Error ? error.message : error}\n${log.tail()}`)
  }
  return portal
}

/** What a program needs of our environment to run at all; settings and secrets are named one by one. */
function systemEnv(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'NO_PROXY', 'HTTPS_PROXY', 'HTTP_PROXY', 'NODE_EXTRA_CA_CERTS']
  const windows = ['SYSTEMROOT', 'TEMP', 'TMP', 'USERPROFILE', 'APPDATA', 'LOCALAPPDATA']
  return Object.fromEntries(
    [...names, ...windows].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  )
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 90_000
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended at once')
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.ok) return
    await delay(25)
  }
  throw new Error('it was not ready within 90 seconds')
}

async function stop(child: ChildProcess, exited: Promise<string>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const hurry = setTimeout(() => child.kill('SIGKILL'), 8_000)
  await exited
  clearTimeout(hurry)
}
