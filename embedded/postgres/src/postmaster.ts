import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Account } from './account.ts'
import { errorCode, Obstacle } from './obstacle.ts'

/** How PostgreSQL finds its data folder, and who it is. */
export type PostgresSetup = { bin: string; pgdata: string; logFile: string; account: Account | undefined }

/**
 * Root's data may lie below folders that the account cannot walk through (/root). A working directory needs no walk:
 * it is entered before the account changes, and PostgreSQL is told to look right there.
 */
export const pathFor = ({ account, pgdata }: Pick<PostgresSetup, 'account' | 'pgdata'>) =>
  account && process.platform === 'linux' ? '/proc/self/cwd' : pgdata

/** Spawn options of every program of PostgreSQL. Nothing of our own environment (secrets) is passed on. */
export const spawnOptions = ({ account, pgdata }: Pick<PostgresSetup, 'account' | 'pgdata'>) => ({
  cwd: pgdata,
  env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
  ...account,
})

/** Starts the postmaster and waits until it takes connections. It gets its own process group: Ctrl-C is for us. */
export async function startPostmaster(setup: PostgresSetup, settings: Record<string, string>): Promise<ChildProcess> {
  const log = openSync(setup.logFile, 'a', 0o600)
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(setup.bin, 'postgres'), ['-D', pathFor(setup), ...options], {
    ...spawnOptions(setup),
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error))])
  const deadline = Date.now() + 60_000
  while (readState(setup.pgdata)?.ready !== child.pid) {
    if (child.exitCode !== null || child.signalCode !== null) throw failed(setup.logFile)
    if (Date.now() > deadline) throw failed(setup.logFile)
    await delay(5)
  }
  return child
}

function failed(logFile: string) {
  const last = readFileSync(logFile, 'utf8').trim().split('\n').slice(-3).join('\n')
  return new Obstacle(`PostgreSQL did not start. Its last lines in ${logFile}:\n${last}`)
}

function readState(pgdata: string): { pid: number; ready: number | undefined } | undefined {
  try {
    const lines = readFileSync(join(pgdata, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(lines[0])
    return { pid, ready: lines[7]?.trim() === 'ready' ? pid : undefined }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Stops what a killed launcher left running on this data folder: its postmaster, or backends that lost theirs. */
export async function stopLeftovers(pgdata: string): Promise<void> {
  if (!existsSync(join(pgdata, 'postmaster.pid'))) return
  const postmaster = readState(pgdata)?.pid
  const stages = [
    { signal: 'SIGINT', waitMs: 10_000 },
    { signal: 'SIGQUIT', waitMs: 5_000 },
    { signal: 'SIGKILL', waitMs: 5_000 },
  ] as const
  for (const { signal, waitMs } of stages) {
    const running = processesIn(pgdata)
    const head = running.find((pid) => pid === postmaster)
    for (const pid of head === undefined ? running : [head]) signalTo(pid, signal)
    const deadline = Date.now() + waitMs
    while (processesIn(pgdata).length > 0 && Date.now() < deadline) await delay(10)
    if (processesIn(pgdata).length === 0) return
  }
  throw new Obstacle(
    `A PostgreSQL that an earlier Quayside left behind (pid ${postmaster}) does not stop. End it by hand.`,
  )
}

/**
 * Removes the locks of a postmaster that was killed. Its number may be another program's by now, or that of a dead
 * process that no parent has waited for yet, and PostgreSQL would refuse to start for as long as there is one.
 */
export function removeLocks(pgdata: string, socket: string): void {
  for (const lock of [join(pgdata, 'postmaster.pid'), join(socket, '.s.PGSQL.5432.lock')]) rmSync(lock, { force: true })
}

/** Also when the process has ended already. */
export function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

/** The PostgreSQL processes that live in this data folder, known by their working directory. */
export function processesIn(pgdata: string): number[] {
  if (process.platform !== 'linux') return postmasterByCommandLine(pgdata)
  const home = realpathSync(pgdata)
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && readlink(`/proc/${pid}/cwd`) === home)
    .filter((pid) => basename(readlink(`/proc/${pid}/exe`) ?? '').startsWith('postgres'))
}

function readlink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}

function postmasterByCommandLine(pgdata: string): number[] {
  const pid = readState(pgdata)?.pid
  if (!pid) return []
  try {
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
    return command.includes('postgres') && command.includes(pgdata) ? [pid] : []
  } catch {
    return []
  }
}

/** Fast shutdown; the immediate one when that takes longer than a person waits. */
export async function stopPostmaster(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGINT')
  const hurry = setTimeout(() => child.kill('SIGQUIT'), 8_000)
  await gone
  clearTimeout(hurry)
}
