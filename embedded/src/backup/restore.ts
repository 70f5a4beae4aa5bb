import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { migrationCount } from '@quayside/embedded-identity/restore'
import { acquireLock } from '@quayside/embedded-postgres/lock'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { openData } from '../launch/data.ts'
import { openDataFolder, restoreUnderWay } from '../launch/obstacles.ts'
import { dataDirFrom, type Plan, planFrom } from '../launch/plan.ts'
import { manifestOf, readArchive } from './archive.ts'
import type { Manifest } from './manifest.ts'
import { putBack } from './put-back.ts'

type Say = (line: string) => void
type Env = NodeJS.ProcessEnv

/** Makes an installation from a backup, in an empty data folder and, where one is named, an empty database. */
export async function restore([file, ...more]: readonly string[], env: Env, root: string, say: Say): Promise<number> {
  if (file === undefined || more.length > 0) throw new Obstacle('Usage: npm run restore -- <file>')
  const source = resolve(file)
  const dataDir = dataDirFrom(env, root)
  openDataFolder(dataDir)
  if (readdirSync(dataDir).length > 0)
    throw new Obstacle(
      `The data folder ${dataDir} is not empty. Nothing is restored over an installation: name another folder by QUAYSIDE_DATA_DIR, or move this one away.`,
    )
  const manifest = await manifestOf(source)
  await mustBeKnown(manifest, root)
  const lock = acquireLock(dataDir)
  try {
    writeFileSync(join(dataDir, restoreUnderWay), '', { mode: 0o600 })
    await writeFiles(source, dataDir)
    // Read once the key is there, so that it is the one of the backup.
    const plan = planFrom(env, root)
    mustFit(plan, manifest)
    await fillDatabases(source, manifest, plan, root)
    rmSync(join(dataDir, restoreUnderWay))
  } catch (error) {
    // The folder was empty, so all that is in it by now is ours.
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true })
    throw error
  } finally {
    lock.release()
  }
  say(`Restored the installation of ${manifest.at} (version ${manifest.product}) into ${dataDir}.`)
  say('Start it with npm start. Actions that were under way are taken up again, and passwords are as they were.')
  return 0
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

function mustFit({ secretKey, keycloak, dataDir }: Plan, { identity }: Manifest): void {
  if (secretKey !== readFileSync(join(dataDir, 'secret-key'), 'utf8').trim())
    throw new Obstacle(
      'QUAYSIDE_SECRET_KEY is another key than that of the backup, and would decrypt nothing of it. Leave it out, or set the right one.',
    )
  if (!identity && !keycloak)
    throw new Obstacle(
      'The people of this installation are in Keycloak. Set KEYCLOAK_URL, KEYCLOAK_CLIENT_ID and KEYCLOAK_CLIENT_SECRET as they were when it was backed up.',
    )
}

async function fillDatabases(source: string, manifest: Manifest, plan: Plan, root: string): Promise<void> {
  const { dataDir, databaseUrl, secretKey } = plan
  const given = databaseUrl ? ({ kind: 'given', databaseUrl } as const) : undefined
  const { postgres, ...urls } = await openData(given ?? { kind: 'own', dataDir, durable: true })
  try {
    const makeTables = (steps: string[], url: string) => runSchema(root, { steps, databaseUrl: url })
    await putBack(source, manifest, { ...urls, secretKey, makeTables })
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
