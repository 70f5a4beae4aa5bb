import { randomBytes } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createGunzip, createGzip } from 'node:zlib'
import { acquireLock } from '@quayside/embedded-postgres/lock'
import pg from 'pg'
import { extract, pack } from 'tar-stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { restoreUnderWay } from '../launch/obstacles.ts'
import { supportBundle } from '../launch/support-bundle.ts'
import { World } from '../world.ts'
import { manifestOf, readArchive, writeArchive } from './archive.ts'
import { backUp } from './backup.ts'
import { type Manifest, manifestName } from './manifest.ts'
import { restore } from './restore.ts'
import { restoreRows } from './restore-rows.ts'

const root = resolve(import.meta.dirname, '../../..')
const urlOf = (name: string) => (process.env.QUAYSIDE_TEST_POSTGRES ?? '').replace('{database}', name)
const elsewhere = `restored_${randomBytes(6).toString('hex')}`
const keycloak = { KEYCLOAK_URL: 'https://id.example.com', KEYCLOAK_CLIENT_ID: 'quayside', KEYCLOAK_CLIENT_SECRET: 'x' }

let world: World
let server: pg.Client
let folder: string
let file: string
let environment: Record<string, string>
const said: string[] = []
const say = (line: string) => void said.push(line)

/** An installation with a database and a Keycloak of somebody else, as `npm start` is told of it. */
beforeAll(async () => {
  world = await World.start({ cluster: false })
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  for (const name of ['Berth \\n 1', 'Bérth "2" 🚢'])
    await world.api('/portal-api/v2/applinks', { token, body: { name, url: 'https://example.org' } })
  folder = mkdtempSync(join(tmpdir(), 'quayside-backup-'))
  file = join(folder, 'one.backup')
  const key = join(folder, 'key')
  writeFileSync(key, randomBytes(32).toString('base64url'))
  environment = { ...keycloak, QUAYSIDE_DATA_DIR: world.dataDir, QUAYSIDE_SECRET_KEY_FILE: key }
  server = new pg.Client({ connectionString: urlOf('postgres') })
  await server.connect()
  await server.query(`create database ${elsewhere}`)
})
afterAll(async () => {
  await world?.close()
  await server?.query(`drop database if exists ${elsewhere} with (force)`)
  await server?.end()
  rmSync(folder, { recursive: true, force: true })
})

/** Data folder of a machine that has nothing yet. */
const empty = () => mkdtempSync(join(folder, 'machine-'))
const into = (dataDir: string, database = elsewhere) => ({
  ...keycloak,
  QUAYSIDE_DATA_DIR: dataDir,
  DATABASE_URL: urlOf(database),
})

/** The same backup with another manifest. */
async function changed(name: string, change: (manifest: Manifest) => void): Promise<string> {
  const copy = join(folder, name)
  const archive = writeArchive(copy)
  const manifest = await manifestOf(file)
  await readArchive(file, async (entry, content) => {
    if (entry !== manifestName) await archive.add(entry, content)
  })
  change(manifest)
  await archive.close(manifest)
  return copy
}

test('a backup by address holds every row, is for its owner alone and overwrites nothing', async () => {
  expect(await backUp([file], { ...environment, DATABASE_URL: world.databaseUrl }, root, say)).toBe(0)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(said.join('\n')).toMatch(/holds the key.*Keycloak, which is not in it/s)
  const { portal, identity } = await manifestOf(file)
  expect(identity).toBeNull()
  expect(portal.rows.app_links).toBe(2)
  await expect(backUp([file], environment, root, say)).rejects.toThrow(/is there already/)
})

test('is refused when it is damaged, truncated, newer than the portal, or of another key; nothing is left of it', async () => {
  const whole = readFileSync(file)
  const cut = join(folder, 'cut.backup')
  writeFileSync(cut, whole.subarray(0, whole.length - 200))
  const swapped = join(folder, 'swapped.backup')
  const tar = pack()
  tar.entry({ name: 'files/secret-key' }, 'a key that somebody put in its place')
  tar.entry({ name: manifestName }, JSON.stringify(await manifestOf(file)))
  tar.finalize()
  writeFileSync(swapped, await buffer(tar.pipe(createGzip())))
  const newer = await changed('newer.backup', ({ portal }) => void portal.steps.push('9999-portal/900-later'))
  const dataDir = empty()
  const otherKey = { ...into(dataDir), QUAYSIDE_SECRET_KEY: 'another-key-of-more-than-32-characters' }
  for (const [from, env, why] of [
    [cut, into(dataDir), /damaged or truncated/],
    [swapped, into(dataDir), /damaged or truncated/],
    [newer, into(dataDir), /made by a newer version of Quayside/],
    [file, otherKey, /QUAYSIDE_SECRET_KEY differs from the key in the backup/],
  ] as const) {
    await expect(restore([from], env, root, say)).rejects.toThrow(why)
    expect(readdirSync(dataDir)).toEqual([])
  }
})

test('one whose rows are not all put back leaves an empty folder and an empty database', async () => {
  const short = await changed('short.backup', ({ portal }) => {
    portal.rows.app_links = 3
  })
  const dataDir = empty()
  await expect(restore([short], into(dataDir), root, say)).rejects.toThrow(/app_links has 2 rows instead of 3/)
  expect(readdirSync(dataDir)).toEqual([])
  const client = new pg.Client({ connectionString: urlOf(elsewhere) })
  await client.connect()
  const { rows } = await client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)
  await client.end()
  expect(rows).toEqual([])
})

test('goes into an empty database of somebody else, row for row, and over no installation', async () => {
  const dataDir = empty()
  const settings = { ...into(dataDir), QUAYSIDE_SECRET_KEY_FILE: join(dataDir, 'secret-key') }
  expect(await restore([file], settings, root, say)).toBe(0)
  expect(existsSync(join(dataDir, 'secret-key'))).toBe(true)
  const again = join(folder, 'again.backup')
  expect(await backUp([again], into(dataDir), root, say)).toBe(0)
  const [before, after] = [await manifestOf(file), await manifestOf(again)]
  expect(after.portal).toEqual(before.portal)
  const rowsIn = ({ entries }: Manifest) => entries.filter(({ name }) => name.startsWith('portal/'))
  expect(rowsIn(after)).toEqual(rowsIn(before))
  await expect(restore([file], into(dataDir), root, say)).rejects.toThrow(/data folder .* is not empty/)
  const other = empty()
  await expect(restore([file], into(other), root, say)).rejects.toThrow(/database .* is not empty/)
  expect(readdirSync(other)).toEqual([])
})

test('a backup writes nothing into the data folder, and takes none that holds half a restore', async () => {
  const dataDir = empty()
  const env = { ...environment, QUAYSIDE_DATA_DIR: dataDir, DATABASE_URL: world.databaseUrl }
  expect(await backUp([join(folder, 'unchanged.backup')], env, root, say)).toBe(0)
  expect(readdirSync(dataDir)).toEqual([])
  writeFileSync(join(dataDir, restoreUnderWay), '')
  await expect(backUp([join(folder, 'half.backup')], env, root, say)).rejects.toThrow(/interrupted and is incomplete/)
  await expect(restore([file], env, root, say)).rejects.toThrow(/drop the database of DATABASE_URL/)
  expect(existsSync(join(folder, 'half.backup'))).toBe(false)
})

test('a folder that does not exist is named, and nothing is left of the backup', async () => {
  const env = { ...environment, DATABASE_URL: world.databaseUrl }
  const target = join(folder, 'nowhere', 'one.backup')
  await expect(backUp([target], env, root, say)).rejects.toThrow(`There is no folder ${join(folder, 'nowhere')}.`)
  await expect(backUp([join(file, 'one.backup')], env, root, say)).rejects.toThrow(`There is no folder ${file}.`)
})

test('people of the backup do not go beside a Keycloak that is named', async () => {
  const withPeople = await changed('people.backup', (manifest) => {
    manifest.identity = { rows: {}, numberings: [], version: 1 }
  })
  const dataDir = empty()
  await expect(restore([withPeople], into(dataDir), root, say)).rejects.toThrow(/Leave KEYCLOAK_URL out/)
  expect(readdirSync(dataDir)).toEqual([])
})

test('of two restores into one database the later one is refused, and one that fails removes only its own tables', async () => {
  const database = `${elsewhere}_two`
  await server.query(`create database ${database}`)
  const client = new pg.Client({ connectionString: urlOf(database) })
  await client.connect()
  const dataDir = empty()
  const makeTables = async () => {
    await expect(restore([file], into(dataDir, database), root, say)).rejects.toThrow(/Another restore is filling/)
    await client.query('create table theirs (id int); create table app_links (id int)')
    throw new Error('the disk is full')
  }
  const urls = { portalUrl: urlOf(database), identityUrl: '', secretKey: '' }
  try {
    await expect(restoreRows(file, await manifestOf(file), { ...urls, makeTables })).rejects.toThrow('the disk is full')
    expect(readdirSync(dataDir)).toEqual([])
    const { rows } = await client.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)
    expect(rows).toEqual([{ relname: 'theirs' }])
  } finally {
    await client.end()
    await server.query(`drop database ${database} with (force)`)
  }
})

test('a restore into a folder that something else has got says so, and leaves it alone', async () => {
  const dataDir = empty()
  const lock = acquireLock(dataDir)
  await expect(restore([file], into(dataDir), root, say)).rejects.toThrow(/already running here/)
  expect(readdirSync(dataDir)).toEqual(['lock'])
  lock.release()
})

test('a support bundle has what helps, and no secret that stands in settings, the data folder or the log', async () => {
  const log = join(world.dataDir, 'portal.log')
  const planted = {
    key: readFileSync(join(folder, 'key'), 'utf8'),
    client: 'planted-client-secret',
    admin: 'planted-admin',
  }
  writeFileSync(join(world.dataDir, 'admin-password'), `${planted.admin}\n`)
  const address = 'postgresql://quayside:planted-address@database/quayside'
  const lines = [...Object.values(planted), address, 'Bearer planted-bearer-0123'].map((msg) => JSON.stringify({ msg }))
  writeFileSync(log, `${[readFileSync(log, 'utf8'), ...lines].join('\n')}\n`)
  const bundle = join(folder, 'support.tgz')
  const env = { ...environment, DATABASE_URL: world.databaseUrl, KEYCLOAK_CLIENT_SECRET: planted.client }
  expect(await supportBundle([bundle], { ...process.env, ...env }, root, say)).toBe(0)
  expect(statSync(bundle).mode & 0o777).toBe(0o600)

  const parts: Record<string, string> = {}
  const reader = createReadStream(bundle).pipe(createGunzip()).pipe(extract())
  for await (const entry of reader) parts[entry.header.name] = (await buffer(entry)).toString()
  const part = (name: string) => JSON.parse(parts[`quayside-support/${name}.json`] ?? '')
  expect(part('versions')).toMatchObject({ node: process.version, helm: expect.stringMatching(/^v4\./) })
  expect(part('settings')).toMatchObject({ KEYCLOAK_CLIENT_SECRET: '(set)', KEYCLOAK_URL: keycloak.KEYCLOAK_URL })
  expect(part('database').migrations.length).toBeGreaterThan(20)
  expect(part('database').tables).toContainEqual(expect.objectContaining({ name: 'public.action' }))
  expect(part('health')).toMatchObject({ 'identity server': { error: expect.any(String) } })
  expect(part('clusters')).toEqual([])
  expect(parts['quayside-support/portal.log']).toContain('(secret)')
  const whole = Object.values(parts).join('\n')
  for (const secret of [...Object.values(planted), 'planted']) expect(whole).not.toContain(secret)
  await expect(supportBundle([bundle], { ...process.env, ...env }, root, say)).rejects.toThrow('is there already')
})
