import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { rotateIdentityKey } from '@quayside/embedded-identity/rotate-key'
import { acquireLock } from '@quayside/embedded-postgres/lock'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { openData } from './data.ts'
import { explain, mustBeWhole } from './obstacles.ts'
import { dataDirFrom, installationFrom, keptSecret, keyBeforeFile, keyFile, newKey } from './plan.ts'

const retiredKeyFile = 'secret-key-until'

type Say = (line: string) => void
type Env = NodeJS.ProcessEnv

/**
 * Encrypts everything by another key. One that the environment names is rotated while portals run that have both; the key of a data folder,
 * while nothing runs with it: a new one is made, and the one before is kept until nothing needs it any more.
 */
export async function rotateKey(args: readonly string[], env: Env, root: string, say: Say): Promise<number> {
  if (args.length > 0) throw new Obstacle('Usage: npm run rotate-key')
  const dataDir = dataDirFrom(env, root)
  mustBeWhole(dataDir, env)
  if (env.QUAYSIDE_SECRET_KEY || env.QUAYSIDE_SECRET_KEY_FILE) return rotateNamed(env, root, say)
  if (keptSecret(dataDir, keyFile) === undefined)
    throw new Obstacle(`There is no installation in ${dataDir}. Set QUAYSIDE_DATA_DIR to its data folder.`)
  mustHaveDatabase(env, root)
  const lock = lockFolder(dataDir)
  const retired = join(dataDir, `${retiredKeyFile}-${new Date().toISOString().replaceAll(':', '-')}`)
  try {
    exchangeKeys(dataDir)
    await encryptAnew(env, root, say)
    // Kept, because nobody here knows of a database that this run was not told of.
    renameSync(join(dataDir, keyBeforeFile), retired)
  } finally {
    lock.release()
  }
  say(
    `Everything is encrypted by the new key in ${join(dataDir, keyFile)}. The one before is in ${retired}: delete it when the portal runs well. Backups from before need the one that is in them.`,
  )
  return 0
}

/** Refuses a folder whose database is elsewhere: without it a new key would be made that opens nothing. */
function mustHaveDatabase(env: Env, root: string): void {
  const { dataDir, databaseUrl } = installationFrom(env, root)
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres')))
    throw new Obstacle(
      `There is no database in ${dataDir}. Set DATABASE_URL, and KEYCLOAK_URL with its client, as the portal has them.`,
    )
}

async function rotateNamed(env: Env, root: string, say: Say): Promise<number> {
  const { otherSecretKey, databaseUrl, keycloak } = installationFrom(env, root)
  if (!otherSecretKey || !databaseUrl)
    throw new Obstacle(
      'The key comes from QUAYSIDE_SECRET_KEY. Set it to the new key, QUAYSIDE_OTHER_SECRET_KEY to the one before, and DATABASE_URL.',
    )
  if (!keycloak)
    throw new Obstacle('Set KEYCLOAK_URL, KEYCLOAK_CLIENT_ID and KEYCLOAK_CLIENT_SECRET as the portals have them.')
  await encryptAnew(env, root, say)
  say('Take QUAYSIDE_OTHER_SECRET_KEY away from every portal now: nothing is encrypted by it any more.')
  return 0
}

function lockFolder(dataDir: string) {
  try {
    return acquireLock(dataDir)
  } catch (error) {
    throw explain(error, dataDir)
  }
}

/** Makes a new key, unless an earlier run has made one and did not come to its end. Both are kept at every moment. */
export function exchangeKeys(dataDir: string): void {
  const key = keptSecret(dataDir, keyFile) ?? ''
  const before = keptSecret(dataDir, keyBeforeFile)
  if (before !== undefined && before !== key) return
  write(dataDir, keyBeforeFile, key)
  write(dataDir, keyFile, newKey())
}

function write(dataDir: string, name: string, secret: string): void {
  const draft = join(dataDir, `${name}.draft`)
  const file = openSync(draft, 'w', 0o600)
  writeSync(file, `${secret}\n`)
  fsyncSync(file)
  closeSync(file)
  renameSync(draft, join(dataDir, name))
  // The order of the two keys has to outlast a loss of power.
  const folder = openSync(dataDir, 'r')
  fsyncSync(folder)
  closeSync(folder)
}

async function encryptAnew(env: Env, root: string, say: Say): Promise<void> {
  const { dataDir, databaseUrl, keycloak, secretKey = '', otherSecretKey = '' } = installationFrom(env, root)
  const { portalUrl, identityUrl, postgres } = await openData(
    databaseUrl ? { kind: 'given', databaseUrl } : { kind: 'own', dataDir, durable: true },
  )
  try {
    const env = { DATABASE_URL: portalUrl, QUAYSIDE_SECRET_KEY: secretKey, QUAYSIDE_OTHER_SECRET_KEY: otherSecretKey }
    say(await runServerProgram(root, env))
    if (keycloak) return
    const changed = await rotateIdentityKey(identityUrl, secretKey, otherSecretKey)
    say(`Encrypted anew in the identity server: ${changed}.`)
  } finally {
    await postgres?.close()
  }
}

async function runServerProgram(root: string, env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [join(root, 'server/src/rotate-key.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, wrong, exited] = [text(child.stdout), text(child.stderr), once(child, 'exit')]
  const [code] = await exited
  if (code !== 0)
    throw new Obstacle(`${(await wrong).trim()}\nBoth keys are still there: run this again when that is mended.`)
  return (await said).trim()
}
