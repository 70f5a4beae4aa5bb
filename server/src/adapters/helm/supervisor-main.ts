import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Notice, Order } from './supervisor-messages.ts'

/**
 * A small process beside the portal that runs its Helm. Starting a program from the portal itself would stop all that
 * the portal does for some 25 ms, as the system first copies the map of its memory.
 *
 * It hears a word while the portal is alive and may write; when the channel closes, or stays silent for too long because
 * the portal was stopped or its event loop stands still, it kills what runs. The kernel's own death signal covers
 * neither of these two.
 */
const silenceMs = Number(process.argv[2])
const running = new Map<number, ChildProcess>()
let heard = performance.now()

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // It has ended by itself.
  }
}

function killAll(): void {
  for (const child of running.values()) signalGroup(child, 'SIGKILL')
}

function start({ run, file, argv, cwd, env }: Order & { do: 'start' }): void {
  // A group of its own, so that ending it ends everything it started.
  const child = spawn(file, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  running.set(run, child)
  child.once('error', ({ message, code }: NodeJS.ErrnoException) => {
    running.delete(run)
    tell({ run, is: 'refused', message, code })
  })
  child.once('close', (code, signal) => {
    if (running.delete(run)) tell({ run, is: 'ended', code, signal })
  })
  // One that could not be started, for want of open files perhaps, has nothing to read from either.
  if (child.pid === undefined) return
  tell({ run, is: 'started', group: child.pid })
  pass(child.stdout, (chunk, done) => tell({ run, is: 'stdout', chunk }, done))
  pass(child.stderr, (chunk, done) => tell({ run, is: 'stderr', chunk }, done))
}

/** No more is read than the portal takes. */
function pass(stream: Readable, on: (chunk: Uint8Array, done: () => void) => boolean): void {
  stream.on('data', (chunk: Buffer) => {
    if (!on(chunk, () => stream.resume())) stream.pause()
  })
}

function tell(notice: Notice, done: () => void = () => undefined): boolean {
  return process.send?.(notice, undefined, undefined, done) ?? false
}

setInterval(() => {
  if (performance.now() - heard > silenceMs) killAll()
}, silenceMs / 8)

process.on('message', (order: Order) => {
  heard = performance.now()
  if (order.do === 'start') start(order)
  if (order.do === 'go-on') tell({ run: 0, is: 'here' })
  const child = order.do === 'signal' ? running.get(order.run) : undefined
  if (child && order.do === 'signal') signalGroup(child, order.signal)
})
process.on('disconnect', () => {
  killAll()
  process.exit(0)
})
// A terminal's Ctrl-C reaches the whole group; this process ends when the portal has.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
