import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { get as getPlain, type IncomingMessage } from 'node:http'
import { get as getTls } from 'node:https'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { openLog } from './log-file.ts'

export type Portal = {
  pid: number
  /** Resolves when the portal has ended, with how; wanted or not. */
  exited: Promise<string>
  close(): Promise<void>
}

/** A portal process that loads its code and waits for its settings. */
type LoadingPortal = {
  /** Hands over the settings and waits until the portal is ready. */
  start(url: string, settings: Record<string, string>): Promise<Portal>
  close(): Promise<void>
}

type Place = { root: string; logFile: string }

/**
 * The portal is a process of its own. It hangs on an IPC channel: when this process dies, however that happens, the
 * channel breaks and the portal ends too. Settings come over that channel when they are known, so that the portal
 * loads while the database still starts, and passwords are in nobody's process list.
 */
export function loadPortal(place: Place): LoadingPortal {
  const run = runPortal(place, [], { QUAYSIDE_SETTINGS_FROM_PARENT: 'true' })
  return {
    close: run.close,
    start: (url, settings) => {
      if (run.child.connected) run.child.send(settings)
      return becomeReady(run, url)
    },
  }
}

/** A portal that restarts whenever its sources change, and shows what it logs; its settings are in its environment. */
export function watchPortal(place: Place): LoadingPortal {
  let run: Run | undefined
  return {
    close: async () => run?.close(),
    start: (url, settings) => {
      run = runPortal(place, ['--watch', '--watch-preserve-output'], settings)
      for (const stream of [run.child.stdout, run.child.stderr]) stream?.pipe(process.stdout, { end: false })
      return becomeReady(run, url)
    },
  }
}

type Run = Portal & { child: ChildProcess; lastLines(): string }

function runPortal({ root, logFile }: Place, flags: string[], env: Record<string, string>): Run {
  const log = openLog(logFile)
  const child = spawn(process.execPath, [...flags, join(root, 'server', 'src', 'main.ts')], {
    cwd: root,
    env: {
      ...systemEnv(),
      ...env,
      NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
      QUAYSIDE_EXIT_WITH_PARENT: 'true',
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  for (const stream of [child.stdout, child.stderr]) stream?.pipe(log, { end: false })
  const exited = once(child, 'close').then(([code, signal]) => {
    log.end()
    return String(signal ?? `code ${code}`)
  })
  return { child, pid: child.pid ?? 0, exited, close: () => stop(child, exited), lastLines: log.tail }
}

async function becomeReady(run: Run, url: string): Promise<Portal> {
  try {
    await untilReady(url, run.child)
    return run
  } catch (error) {
    await run.close()
    const lines = run.lastLines().split('\n')
    // A setting that is wrong is said in plain lines; what was logged before is no news to who reads them.
    const plain = lines.filter((line) => line !== '' && !line.startsWith('{'))
    const why = error instanceof Error ? error.message : error
    throw new Obstacle(`The portal did not start: ${why}\n${(plain.length > 0 ? plain : lines).join('\n')}`)
  }
}

/** Environment variables that a program needs to run at all; settings and secrets are passed one by one. */
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
    if (await answersWell(`${url}/readyz`)) return
    await delay(25)
  }
  throw new Error('it was not ready within 90 seconds')
}

/** Tells whether this machine's own portal answers with 200. Its certificate is for another name than the loopback's. */
function answersWell(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const options = { agent: false, signal: AbortSignal.timeout(5_000) }
    const isGood = (answer: IncomingMessage) => {
      answer.destroy()
      resolve(answer.statusCode === 200)
    }
    const request = url.startsWith('https:')
      ? getTls(url, { ...options, rejectUnauthorized: false }, isGood)
      : getPlain(url, options, isGood)
    request.on('error', () => resolve(false))
  })
}

async function stop(child: ChildProcess, exited: Promise<string>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const hurry = setTimeout(() => child.kill('SIGKILL'), 8_000)
  await exited
  clearTimeout(hurry)
}
