import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '@quayside/embedded-postgres/ports'
import { processBirth } from '@quayside/embedded-postgres/process-identity'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../../..')
let dataDir: string
let port: number
const running: ChildProcess[] = []

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'quayside launch '))
  port = await freePort('127.0.0.1')
})
afterAll(async () => {
  for (const child of running.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  rmSync(dataDir, { recursive: true, force: true })
})

type Run = { child: ChildProcess; output(): string; exited: Promise<number | null> }

const npmStart = (env: Record<string, string> = {}) => npmRun('start', env)

function npmRun(command: 'start' | 'unlock', env: Record<string, string> = {}): Run {
  const settings = { QUAYSIDE_DATA_DIR: dataDir, QUAYSIDE_PORT: String(port), ...env }
  const child = spawn(process.execPath, [join(root, 'embedded/launch.js'), command], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  return { child, output: () => text, exited: once(child, 'exit').then(([code]) => code as number | null) }
}

async function untilTable(run: Run): Promise<Record<string, string>> {
  await expect.poll(run.output, { timeout: 50_000 }).toMatch(/Ctrl-C stops everything|\bError\b/)
  const rows = [...run.output().matchAll(/│ (\S.*?) +│ (\S.*?) +│/g)].map(([, label = '', value = '']) => [
    label,
    value,
  ])
  return Object.fromEntries(rows)
}

const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })
const postmaster = () => Number(readFileSync(join(dataDir, 'postgres/pg18/postmaster.pid'), 'utf8').split('\n')[0])

test('one command to a portal; killed and started again it is the same one', { timeout: 170_000 }, async () => {
  const first = npmStart()
  const table = await untilTable(first)
  expect(table).toMatchObject({ URL: `http://localhost:${port}`, User: 'admin', 'Data folder': dataDir })
  expect(table.Password).toMatch(/^[0-9a-f-]{34}$/)
  expect(table['Storefront team']).toMatch(/^ines \/ [0-9a-f-]{34}$/)
  expect(table['Telemetry team']).toMatch(/^ravi \/ [0-9a-f-]{34}$/)
  expect(statSync(join(dataDir, 'ines-password')).mode & 0o777).toBe(0o600)
  expect(readFileSync(table.Kubeconfig ?? '', 'utf8')).toMatch(/server: https:\/\/127\.0\.0\.1:/)
  expect((await get('/readyz')).status).toBe(200)
  expect(existsSync(join(dataDir, 'telemetry', 'metrics.sqlite'))).toBe(true)
  expect(statSync(join(dataDir, 'metrics-token')).mode & 0o777).toBe(0o600)
  expect(Object.keys(JSON.parse(readFileSync(join(dataDir, 'first-start.json'), 'utf8'))).sort()).toEqual([
    'charts',
    'people',
    'sandbox',
    'spaces',
  ])

  const second = npmStart()
  expect(await second.exited).toBe(1)
  expect(second.output()).toContain(`Another Quayside is already running here (pid ${first.child.pid})`)

  const unlock = npmRun('unlock')
  expect([await unlock.exited, unlock.output().trim()]).toEqual([0, 'No address is locked.'])

  const kubeconfig = readFileSync(table.Kubeconfig ?? '', 'utf8')
  const left = postmaster()
  first.child.kill('SIGKILL')
  await first.exited
  await expect
    .poll(
      () =>
        get('/healthz').then(
          () => 'answers',
          () => 'gone',
        ),
      { timeout: 15_000 },
    )
    .toBe('gone')

  const third = npmStart()
  expect(await untilTable(third)).toEqual(table)
  expect(readFileSync(table.Kubeconfig ?? '', 'utf8')).toBe(kubeconfig)
  expect(third.output()).not.toContain('First content')
  expect(processBirth(left)).toBeUndefined()

  const last = postmaster()
  third.child.kill('SIGINT')
  expect(await third.exited).toBe(0)
  expect(processBirth(last)).toBeUndefined()
  expect(existsSync(join(dataDir, 'lock'))).toBe(false)
})

test('unlock sends nothing to a program that has the port of a portal which is not running', async () => {
  const calls: string[] = []
  const other = createServer(({ url = '' }, response) => {
    calls.push(url)
    response.end('{}')
  })
  const { identity } = JSON.parse(readFileSync(join(dataDir, 'ports.json'), 'utf8'))
  other.listen(identity, '127.0.0.1')
  await once(other, 'listening')
  const run = npmRun('unlock')
  expect(await run.exited).toBe(1)
  expect(run.output().trim()).toBe(`Nothing is running with the data folder ${dataDir}. Start the portal first.`)
  expect(calls).toEqual([])
  other.close()
})

test('says in one sentence what is in the way', async () => {
  const run = npmStart({ QUAYSIDE_PORT: 'many' })
  expect(await run.exited).toBe(1)
  expect(run.output().trim()).toBe('QUAYSIDE_PORT is "many", which is no port. Set it to a number from 1 to 65535.')
})
