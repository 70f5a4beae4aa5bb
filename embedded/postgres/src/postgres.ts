import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { accountFor } from './account.ts'
import { findBinaries } from './binaries.ts'
import { acquireLock } from './lock.ts'
import { Obstacle } from './obstacle.ts'
import {
  type PostgresSetup,
  pathFor,
  processesIn,
  removeLocks,
  signalTo,
  spawnOptions,
  startPostmaster,
  stopLeftovers,
  stopPostmaster,
} from './postmaster.ts'

/** A running PostgreSQL of our own. */
export type Postgres = {
  /** The address of one of its databases, for an account that owns databases but is no superuser. */
  url(database: string): string
  pid: number
  /** Resolves when PostgreSQL has ended, wanted or not. */
  exited: Promise<void>
  /** Sends a signal to each of its processes, for tests that kill or freeze it. */
  signal(signal: NodeJS.Signals): void
  close(): Promise<void>
}

type Options = {
  dataDir: string
  /** False for databases that need not outlive a power cut: tests. */
  durable?: boolean
}

const owner = 'quayside'
const longestSocketPath = 100
/** A mark in the folder: what initdb wrote is not known to have reached the disk. */
const unsynced = 'unsynced'

/** Starts PostgreSQL on `dataDir`, making it at the first start and cleaning up after one that was killed. */
export async function startPostgres({ dataDir, durable = true }: Options): Promise<Postgres> {
  const home = resolve(dataDir)
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const lock = acquireLock(home)
  try {
    return await startLocked(home, durable, () => lock.release())
  } catch (error) {
    lock.release()
    throw error
  }
}

async function startLocked(home: string, durable: boolean, unlock: () => void): Promise<Postgres> {
  const pgdata = join(home, 'pg18')
  const account = accountFor(pgdata)
  const logFile = join(home, 'postgres.log')
  const setup: PostgresSetup = { bin: findBinaries(home, account), pgdata, logFile, account }
  const passwords = { owner: secretIn(home, 'password'), superuser: secretIn(home, 'superuser-password') }
  if (!existsSync(pgdata)) await createData(setup, home, passwords.superuser)
  await stopLeftovers(pgdata)
  keepLogSmall(logFile)
  const socket = socketFolder(setup, home)
  removeLocks(pgdata, socket)
  const child = await startPostmaster(setup, settings(setup, socket, durable))
  const exited = once(child, 'exit').then(() => undefined)
  const synced = durable ? syncNewData(setup, home).catch(reportSync) : Promise.resolve()
  const close = async () => {
    await synced
    await stopPostmaster(child)
    if (socket !== pgdata) rmSync(socket, { recursive: true, force: true })
    unlock()
  }
  const address = (user: string, password: string, database: string) => addressOf(socket, { user, password, database })
  try {
    await ensureOwner(address('postgres', passwords.superuser, 'postgres'), passwords.owner)
  } catch (error) {
    await close()
    throw error
  }
  return {
    pid: child.pid ?? 0,
    url: (database) => address(owner, passwords.owner, database),
    exited,
    signal: (signal) => {
      for (const pid of processesIn(pgdata)) signalTo(pid, signal)
    },
    close,
  }
}

/** Addresses of the databases of a PostgreSQL of ours that another process has started. */
export function runningAddress(dataDir: string): (database: string) => string {
  const home = resolve(dataDir)
  const record = join(home, 'socket-folder')
  const socket = existsSync(record) ? readFileSync(record, 'utf8') : join(home, 'pg18')
  const password = readFileSync(join(home, 'password'), 'utf8').trim()
  return (database) => addressOf(socket, { user: owner, password, database })
}

function addressOf(socket: string, { user, password, database }: { user: string; password: string; database: string }) {
  return `postgresql://${user}:${password}@localhost/${encodeURIComponent(database)}?host=${encodeURIComponent(socket)}`
}

/** Makes sure that `name` exists, as a copy of `template` when one is given, and gives its address. */
export async function ensureDatabase(
  postgres: Pick<Postgres, 'url'>,
  name: string,
  template?: string,
): Promise<string> {
  const client = new pg.Client(postgres.url('postgres'))
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) {
      const source = template ? ` template ${pg.escapeIdentifier(template)} strategy file_copy` : ''
      await client.query(`create database ${pg.escapeIdentifier(name)}${source}`)
    }
  } finally {
    await client.end()
  }
  return postgres.url(name)
}

function secretIn(home: string, name: string): string {
  const file = join(home, name)
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

function reportSync(error: unknown) {
  process.emitWarning(`PostgreSQL's new data folder could not be synced to disk: ${words(error)}`)
}

/** initdb works in a draft folder: a first start that is cut short leaves nothing that looks like data. */
async function createData({ bin, pgdata, account }: PostgresSetup, home: string, password: string): Promise<void> {
  const draft = join(home, 'pg18.draft')
  const place = { account, pgdata: join(draft, 'data') }
  rmSync(draft, { recursive: true, force: true })
  for (const folder of [draft, place.pgdata]) mkdirSync(folder, { mode: 0o700 })
  writeFileSync(join(draft, 'password'), password, { mode: 0o600 })
  if (account) {
    for (const path of [draft, place.pgdata, join(draft, 'password')]) chownSync(path, account.uid, account.gid)
  }
  const args = [
    ...['-D', pathFor(place), `--pwfile=${pathFor(place)}/../password`, '--username=postgres'],
    ...['--auth-local=scram-sha-256', '--auth-host=reject', '--data-checksums', '--no-instructions'],
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    '--no-sync',
  ]
  try {
    await promisify(execFile)(join(bin, 'initdb'), args, spawnOptions(place))
  } catch (error) {
    if (words(error).includes('user does not exist')) throw namelessUser()
    throw new Obstacle(`PostgreSQL could not make its data folder in ${home}: ${words(error)}`)
  }
  writeFileSync(join(home, unsynced), '', { mode: 0o600 })
  renameSync(place.pgdata, pgdata)
  rmSync(draft, { recursive: true })
}

const namelessUser = () =>
  new Obstacle(
    `PostgreSQL needs its user to have a name, and user ${process.getuid?.()} has no entry in /etc/passwd. Start Quayside as a user who has one, or set DATABASE_URL.`,
  )

/** Makes sure of a new data folder while PostgreSQL is at work already: on a busy disk this takes many seconds. */
async function syncNewData({ bin, pgdata, account }: PostgresSetup, home: string): Promise<void> {
  const mark = join(home, unsynced)
  if (!existsSync(mark)) return
  const place = { account, pgdata }
  await promisify(execFile)(join(bin, 'initdb'), ['--sync-only', '-D', pathFor(place)], spawnOptions(place))
  rmSync(mark)
}

function words(error: unknown): string {
  const stderr = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  return stderr || String(error)
}

/** Local users meet a 0700 folder and then a password; there is no network port at all. */
function settings(setup: PostgresSetup, socket: string, durable: boolean): Record<string, string> {
  const inside = socket === setup.pgdata
  return {
    listen_addresses: '',
    unix_socket_directories: inside ? pathFor(setup) : socket,
    unix_socket_permissions: '0700',
    shared_buffers: '64MB',
    max_connections: '200',
    max_wal_size: '512MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    cluster_name: 'quayside',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }),
  }
}

/** The data folder itself, unless the kernel would cut the path of a socket in it short. */
function socketFolder({ pgdata, account }: PostgresSetup, home: string): string {
  const record = join(home, 'socket-folder')
  if (existsSync(record)) {
    const old = readFileSync(record, 'utf8')
    if (old.startsWith(join(tmpdir(), 'quayside-'))) rmSync(old, { recursive: true, force: true })
    rmSync(record)
  }
  if (Buffer.byteLength(join(pgdata, '.s.PGSQL.5432')) <= longestSocketPath) return pgdata
  const short = mkdtempSync(join(tmpdir(), 'quayside-'))
  if (account) chownSync(short, account.uid, account.gid)
  writeFileSync(record, short)
  return short
}

function keepLogSmall(logFile: string) {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size > 10 * 1024 * 1024) truncateSync(logFile)
}

async function ensureOwner(adminUrl: string, password: string): Promise<void> {
  const admin = new pg.Client(adminUrl)
  await admin.connect()
  try {
    const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [owner])
    if (rowCount === 0) {
      const [name, secret] = [pg.escapeIdentifier(owner), pg.escapeLiteral(password)]
      await admin.query(`create role ${name} login createdb createrole password ${secret}`)
    }
  } finally {
    await admin.end()
  }
}
