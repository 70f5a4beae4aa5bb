import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureDatabase, startPostgres } from './postgres.ts'
import { processBirth } from './process-identity.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'quayside-test-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

/** Another process starts PostgreSQL, keeps a row, and says so; it is then killed without a chance to clean up. */
async function startAndKill(dataDir: string): Promise<number> {
  const script = `
    import pg from 'pg'
    const { startPostgres, ensureDatabase } = await import(process.argv[1])
    const postgres = await startPostgres({ dataDir: process.argv[2] })
    const client = new pg.Client(await ensureDatabase(postgres, 'kept'))
    await client.connect()
    await client.query('create table said (word text)')
    await client.query("insert into said values ('acknowledged')")
    console.log(postgres.pid)`
  const door = new URL('./postgres.ts', import.meta.url).href
  const args = ['--input-type=module', '--eval', script, door, dataDir]
  const child = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(child.stdout), 'line', { signal: AbortSignal.timeout(20_000) })
  child.kill('SIGKILL')
  await once(child, 'exit')
  return Number(line)
}

test('comes back with every acknowledged row after its launcher was killed', async () => {
  const left = await startAndKill(home)
  expect(processBirth(left)).toBeDefined()
  const postgres = await startPostgres({ dataDir: home })
  expect(processBirth(left)).toBeUndefined()
  expect(await query(postgres.url('kept'), 'select word from said')).toEqual([{ word: 'acknowledged' }])
  await postgres.close()
})

test('starts although the number of its killed postmaster is another program now', async () => {
  const left = await startAndKill(home)
  process.kill(left, 'SIGKILL')
  await expect.poll(() => processBirth(left)).toBeUndefined()
  const stranger = spawn('sleep', ['60'])
  try {
    const pidFile = join(home, 'pg18', 'postmaster.pid')
    const lines = readFileSync(pidFile, 'utf8').split('\n')
    writeFileSync(pidFile, [stranger.pid, ...lines.slice(1)].join('\n'))
    const postgres = await startPostgres({ dataDir: home })
    expect(await query(postgres.url('kept'), 'select word from said')).toEqual([{ word: 'acknowledged' }])
    await postgres.close()
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  } finally {
    stranger.kill('SIGKILL')
  }
})

test('keeps what the architecture promises: fsync, checksums, no network port, an ordinary owner', async () => {
  const postgres = await startPostgres({ dataDir: home })
  const show = `select current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
    current_setting('listen_addresses') as addresses, current_setting('server_version_num')::int / 10000 as major,
    (select rolsuper from pg_roles where rolname = current_user) as superuser`
  const [answer] = await query(postgres.url('postgres'), show)
  expect(answer).toEqual({ fsync: 'on', checksums: 'on', addresses: '', major: 18, superuser: false })
  expect(statSync(join(home, 'pg18')).mode & 0o777).toBe(0o700)
  const wrong = postgres.url('postgres').replace(/:[^:@]+@/, ':guessed@')
  await expect(query(wrong, 'select 1')).rejects.toThrow('password authentication failed')
  await postgres.close()
})

test('a second opener is refused with a sentence, and the first goes on', async () => {
  const postgres = await startPostgres({ dataDir: home })
  await expect(startPostgres({ dataDir: home })).rejects.toThrow('Another Quayside is already running here')
  expect(await query(postgres.url('postgres'), 'select 1 as one')).toEqual([{ one: 1 }])
  await postgres.close()
})

test('a folder too deep for a socket, with spaces in its name, works as well', async () => {
  const deep = join(home, 'a folder with spaces '.repeat(6).trim(), 'and deeper')
  mkdirSync(deep, { recursive: true, mode: 0o700 })
  const postgres = await startPostgres({ dataDir: deep })
  const template = await ensureDatabase(postgres, 'template-of-tests')
  await query(template, 'create table t (n int)')
  await query(await ensureDatabase(postgres, 'copy', 'template-of-tests'), 'select n from t')
  await postgres.close()
})

test('says when PostgreSQL has ended, and leaves no process behind', async () => {
  const postgres = await startPostgres({ dataDir: home })
  expect(processBirth(postgres.pid)).toBeDefined()
  await postgres.close()
  await postgres.exited
  expect(processBirth(postgres.pid)).toBeUndefined()
})
