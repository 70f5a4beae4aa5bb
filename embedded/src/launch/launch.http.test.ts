import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { freePort } from '@quayside/embedded-postgres/ports'
import { processBirth } from '@quayside/embedded-postgres/process-identity'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientToken, makeServiceClient, openDirectory } from '../directory-client.ts'

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
  for (const path of [dataDir, archive()]) rmSync(path, { recursive: true, force: true })
})

type Run = { child: ChildProcess; output(): string; exited: Promise<number | null> }

const npmStart = (env: Record<string, string> = {}) => npmRun('start', env)

function npmRun(command: string, env: Record<string, string> = {}, args: readonly string[] = []): Run {
  const settings = { QUAYSIDE_DATA_DIR: dataDir, QUAYSIDE_PORT: String(port), ...env }
  const child = spawn(process.execPath, [join(root, 'embedded/launch.js'), command, ...args], {
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

test('one command to a portal; killed and started again it is the same one', { timeout: 240_000 }, async () => {
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
    'dashboards',
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

  const client = await makeServiceClient(await directory(), 'survivor', { realmRoles: ['quayside-admin'] })
  const before = await contentOf(client)
  expect(before.packages?.length).toBeGreaterThan(0)
  expect(before.states).toEqual([{ name: expect.any(String), health: 'healthy' }])
  const backup = npmRun('backup', {}, [archive()])
  expect([await backup.exited, backup.output()]).toEqual([
    0,
    expect.stringMatching(/^Backed up \d+ rows .*holds the key/s),
  ])
  await makeServiceClient(await directory(), 'newcomer', {})

  const last = postmaster()
  third.child.kill('SIGINT')
  expect(await third.exited).toBe(0)
  expect(processBirth(last)).toBeUndefined()
  expect(existsSync(join(dataDir, 'lock'))).toBe(false)

  await comesBack({ table, client, before })
})

const archive = () => join(dataDir, '../', `${basename(dataDir)}.backup`)
const identityUrl = () =>
  `http://127.0.0.1:${JSON.parse(readFileSync(join(dataDir, 'ports.json'), 'utf8')).identity}/auth`

function directory() {
  const secret = readFileSync(join(dataDir, 'identity-client-secret'), 'utf8').trim()
  return openDirectory(identityUrl(), 'demo', { id: 'quayside-server', secret })
}

type Client = Awaited<ReturnType<typeof makeServiceClient>>

/** Everything that people see of a portal that was seeded: spaces, packages, clusters that answer. */
async function contentOf(client: Client) {
  const token = await clientToken(identityUrl(), 'demo', client)
  const read = async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(200)
    return answer
  }
  const lists = ['/portal-api/v2/spaces', '/catalog/v2/items', '/cluster/v2/clusters', '/portal-api/v1/audit']
  const [spaces, items, clusters, audit] = await Promise.all(lists.map(async (path) => (await read(path)).json()))
  const packages = (await (await read('/catalog/v1/repository/index.yaml')).text()).match(/digest: \S+/g)
  const states = clusters.data.map(({ name, health }: { name: string; health: unknown }) => ({ name, health }))
  return { spaces, items: items.data, states, audit: audit.data, packages }
}

interface Lost {
  table: Record<string, string>
  client: Client
  before: Awaited<ReturnType<typeof contentOf>>
}

/** The machine is lost, and everything is there again from the backup, as it was then. */
async function comesBack({ table, client, before }: Lost) {
  const over = npmRun('restore', {}, [archive()])
  expect([await over.exited, over.output()]).toEqual([
    1,
    expect.stringContaining('Nothing is restored over an installation'),
  ])
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true })
  const restore = npmRun('restore', {}, [archive()])
  expect([await restore.exited, restore.output()]).toEqual([0, expect.stringMatching(/^Restored the installation of /)])
  const fourth = npmStart()
  expect(await untilTable(fourth)).toEqual(table)
  expect(fourth.output()).not.toContain('First content')
  await expect.poll(() => contentOf(client), { timeout: 15_000 }).toEqual(before)
  const clients = await (await directory()).get<{ clientId: string }[]>('/clients')
  const names = clients.map(({ clientId }) => clientId)
  expect([names.includes('survivor'), names.includes('newcomer')]).toEqual([true, false])
  fourth.child.kill('SIGINT')
  expect(await fourth.exited).toBe(0)
}

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
