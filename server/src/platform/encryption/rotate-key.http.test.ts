import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { createStory, type Story } from '@quayside/embedded/story/story'
import { type Replica, World } from '@quayside/embedded/world'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEncryption } from './encryption.ts'

const [first, second, third] = ['first', 'second', 'third'].map((name) => `the ${name} key of this test, long enough`)
const program = resolve(import.meta.dirname, '../../rotate-key.ts')
const mostHooks = 30

let folder: string
let world: World
let admin: Story
let database: pg.Client
let clusterId: string

/** Keys that portals have which start from now on. */
function keysAre(key = '', other = ''): void {
  writeFileSync(join(folder, 'key'), key)
  writeFileSync(join(folder, 'other'), other)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quayside-keys-'))
  keysAre(first, second)
  const env = {
    QUAYSIDE_SECRET_KEY_FILE: join(folder, 'key'),
    QUAYSIDE_OTHER_SECRET_KEY_FILE: join(folder, 'other'),
    QUAYSIDE_ALLOWED_ADDRESSES: '127.0.0.1:9',
  }
  world = await World.start({ env })
  admin = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  database = new pg.Client({ connectionString: world.databaseUrl })
  await database.connect()
  await database.query(`set app.tenant = '*'`)
  const kubeconfig = readFileSync(world.kubeconfig, 'utf8')
  clusterId = (await admin.good<{ id: string }>('/cluster/v1/clusters', { body: { displayName: 'Here', kubeconfig } }))
    .id
  await addSources(mostHooks)
})
afterAll(async () => {
  await database?.end()
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Rows with something encrypted, as the portal itself would write them by its first key. */
async function addSources(count: number): Promise<void> {
  const tenantId = await admin.tenantId()
  const encryption = createEncryption(first ?? '')
  for (let index = 0; index < count; index += 1) {
    const id = `source${String(index).padStart(3, '0')}`
    const secret = encryption.encrypt(tenantId, `catalog.source.${id}`, `secret ${index}`)
    await database.query(
      `insert into catalog_source (id, tenant_id, name, kind, address, sign_in, username, secret, charts, versions,
         prereleases, adds_to_uploads, created_by)
       values ($1, $2, $1, 'helm', 'https://charts.example', 'token', '', $3, '{}', 1, false, false, 'test')`,
      [id, tenantId, secret],
    )
  }
}

/** The status by which the cluster is looked at, which one of the portals opens its kubeconfig. */
async function nodesBy(portal: Pick<World, 'api'>): Promise<number> {
  return (await portal.api(`/cluster/v1/clusters/${clusterId}/nodes`, { token: admin.token })).status
}

async function sealedBy(key: string | undefined): Promise<number> {
  const { rows } = await database.query<{ id: string; tenant_id: string; secret: string }>(
    'select id, tenant_id, secret from catalog_source',
  )
  const { decrypt } = createEncryption(key ?? '')
  return rows.filter(({ id, tenant_id, secret }) => {
    try {
      return decrypt(tenant_id, `catalog.source.${id}`, secret) !== ''
    } catch {
      return false
    }
  }).length
}

function rotate(): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const env = { DATABASE_URL: world.databaseUrl, QUAYSIDE_SECRET_KEY: second, QUAYSIDE_OTHER_SECRET_KEY: first }
  return spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] }) as never
}

test('the key is rotated while portals run, over a kill, and the one before is needed no more', async () => {
  keysAre(second, first)
  const replica: Replica = await world.addReplica()
  expect([await nodesBy(world), await nodesBy(replica)]).toEqual([200, 200])
  // A row that the new portal writes is read by the one that has not been started again yet.
  const kubeconfig = readFileSync(world.kubeconfig, 'utf8')
  const added = await replica.api('/cluster/v1/clusters', {
    token: admin.token,
    body: { displayName: 'Two', kubeconfig },
  })
  const { id } = (await added.json()) as { id: string }
  expect((await world.api(`/cluster/v1/clusters/${id}/nodes`, { token: admin.token })).status).toBe(200)

  const holder = new pg.Client({ connectionString: world.databaseUrl })
  await holder.connect()
  await holder.query(
    `begin; set local app.tenant = '*'; select 1 from catalog_source where id = 'source020' for update`,
  )
  const killed = rotate()
  await expect.poll(() => sealedBy(second), { timeout: 90_000 }).toBe(20)
  killed.kill('SIGKILL')
  await once(killed, 'exit')
  await holder.query('rollback')
  await holder.end()
  expect([await sealedBy(first), await sealedBy(second)]).toEqual([mostHooks - 20, 20])
  expect([await nodesBy(world), await nodesBy(replica)]).toEqual([200, 200])

  const again = rotate()
  const [said, [code]] = await Promise.all([text(again.stdout), once(again, 'exit')])
  expect([code, said]).toEqual([0, expect.stringMatching(/^Encrypted anew in the portal: \d+/)])
  expect([await sealedBy(first), await sealedBy(second)]).toEqual([0, mostHooks])

  keysAre(second, third)
  await world.restartPortal()
  await expect.poll(() => nodesBy(world)).toBe(200)
  await replica.close()
}, 240_000)
