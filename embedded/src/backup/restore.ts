import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { migrationCount } from '@quayside/embedded-identity/restore'
import { acquireLock } from '@quayside/embedded-postgres/lock'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { openData } from '../launch/data.ts'
import { mustBeWhole, openDataFolder, restoreUnderWay } from '../launch/obstacles.ts'
import { dataDirFrom, type Installation, installationFrom } from '../launch/plan.ts'
import { manifestOf, readArchive } from './archive.ts'
import type { Manifest } from './manifest.ts'
import { restoreRows } from './restore-rows.ts'

type Say = (line: string) => void
type Env = NodeJS.ProcessEnv

/** Makes an installation from a backup, in an empty data folder and, where one is named, an empty database. */
export async function restore([file, ...more]: readonly string[], env: Env, root: string, say: Say): Promise<number> {
  if (file === undefined || more.length > 0) throw new Obstacle('Usage: npm run restore -- <file>')
  const source = resolve(file)
  const dataDir = dataDirFrom(env, root)
  openDataFolder(dataDir)
  const lock = acquireLock(dataDir)
  let manifest: Manifest
  try {
    mustBeEmptyFolder(dataDir, env)
    manifest = await manifestOf(source)
    await mustBeKnown(manifest, root)
    await fill({ source, manifest, dataDir, env, root })
  } finally {
    lock.release()
  }
  say(`Restored the installation of ${manifest.at} (version ${manifest.product}) into ${dataDir}.`)
  say('Start it with npm start. Actions that were under way are taken up again, and passwords are as they were.')
  return 0
}

/** Files of the lock, which whoever starts at this moment makes for a moment as well. */
const isLock = (name: string) => name === 'lock' || name.startsWith('lock.')
const contentOf = (dataDir: string) => readdirSync(dataDir).filter((name) => !isLock(name))

function mustBeEmptyFolder(dataDir: string, env: Env): void {
  mustBeWhole(dataDir, env)
  if (contentOf(dataDir).length === 0) return
  throw new Obstacle(
    `The data folder ${dataDir} is not empty. Nothing is restored over an installation: name another folder by QUAYSIDE_DATA_DIR, or move this one away.`,
  )
}

interface Filling {
  source: string
  manifest: Manifest
  dataDir: string
  env: Env
  root: string
}

/** Puts everything into an empty folder and empty databases, and leaves them empty when that fails. */
async function fill({ source, manifest, dataDir, env, root }: Filling): Promise<void> {
  try {
    writeFileSync(join(dataDir, restoreUnderWay), '', { mode: 0o600 })
    await writeFiles(source, dataDir)
    // Read once the key is there, so that it is the one of the backup.
    const installation = installationFrom(env, root)
    const secretKey = mustMatchSettings(installation, manifest)
    await fillDatabases(source, manifest, { ...installation, secretKey }, root)
    rmSync(join(dataDir, restoreUnderWay))
  } catch (error) {
    // The folder was empty, so all that is in it by now is ours.
    for (const name of contentOf(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true })
    throw error
  }
}

/** Refuses a backup of a newer version, before anything is made of it. */
async function mustBeKnown({ portal, identity, product }: Manifest, root: string): Promise<void> {
  const unknown = (identity?.version ?? 0) > migrationCount || (await runSchema(root, { steps: portal.steps })) !== ''
  if (unknown)
    throw new Obstacle(
      `This backup was made by a newer version of Quayside (${product}) than the one that is installed here. Install that version or a newer one, and restore with it.`,
    )
}

/** Runs the server's own program for its tables: with an address it makes them, without one it says which steps it does not know. */
async function runSchema(root: string, asked: { steps: string[]; databaseUrl?: string }): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'server/src/schema.ts')], { stdio: ['pipe', 'pipe', 'pipe'] })
  const [said, wrong, exited] = [text(child.stdout), text(child.stderr), once(child, 'exit')]
  child.stdin.end(JSON.stringify(asked))
  const [code] = await exited
  if (code !== 0) throw new Error(`the tables of the portal could not be made: ${await wrong}`)
  return (await said).trim()
}

/** Gives the key, which is the same in the backup and in the settings. */
function mustMatchSettings({ secretKey, keycloak, dataDir }: Installation, { identity }: Manifest): string {
  if (secretKey === undefined || secretKey !== readFileSync(join(dataDir, 'secret-key'), 'utf8').trim())
    throw new Obstacle(
      'QUAYSIDE_SECRET_KEY differs from the key in the backup, so nothing in it could be decrypted. Leave it out, or set the right one.',
    )
  if (!identity && !keycloak)
    throw new Obstacle(
      'The people of this installation are in Keycloak. Set KEYCLOAK_URL, KEYCLOAK_CLIENT_ID and KEYCLOAK_CLIENT_SECRET as they were when it was backed up.',
    )
  if (identity && keycloak)
    throw new Obstacle(
      'The people of this installation are in the backup itself, and KEYCLOAK_URL names another place for them. Leave KEYCLOAK_URL out.',
    )
  return secretKey
}

async function fillDatabases(
  source: string,
  manifest: Manifest,
  { dataDir, databaseUrl, secretKey }: Installation & { secretKey: string },
  root: string,
): Promise<void> {
  const given = databaseUrl ? ({ kind: 'given', databaseUrl } as const) : undefined
  const { postgres, ...urls } = await openData(given ?? { kind: 'own', dataDir, durable: true })
  try {
    const makeTables = (steps: string[], url: string) => runSchema(root, { steps, databaseUrl: url })
    await restoreRows(source, manifest, { ...urls, secretKey, makeTables })
  } finally {
    await postgres?.close()
  }
}

async function writeFiles(source: string, dataDir: string): Promise<void> {
  await readArchive(source, async (name, content) => {
    const path = /^files\/(?!.*\.\.)(.+)$/.exec(name)?.[1]
    if (path === undefined) return
    mkdirSync(dirname(join(dataDir, path)), { recursive: true, mode: 0o700 })
    writeFileSync(join(dataDir, path), content, { mode: 0o600 })
  })
}
