import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { errorCode, Obstacle } from '@quayside/embedded-postgres/obstacle'
import { withDatabases } from '../backup/places.ts'
import { type Installation, installationFrom, keptSecret } from './plan.ts'

type Env = NodeJS.ProcessEnv

/**
 * Writes what helps somebody else to understand this installation into one file, by the server's own program, which takes the
 * secrets out. The portal may run, or not.
 */
export async function supportBundle(args: readonly string[], env: Env, root: string, say: (line: string) => void) {
  const [file, ...more] = args
  if (file === undefined || more.length > 0) throw new Obstacle('Usage: npm run support-bundle -- <file>')
  const installation = installationFrom(env, root)
  const { dataDir } = installation
  if (!existsSync(dataDir)) throw new Obstacle(`There is no data folder ${dataDir}. Set QUAYSIDE_DATA_DIR.`)
  const target = resolve(file)
  await withDatabases(installation, async ({ portalUrl }) => {
    const settings = { ...env, ...settingsOf(installation), DATABASE_URL: portalUrl, DATABASE_URL_FILE: '' }
    await write(target, [join(root, 'server/src/support-bundle.ts'), join(dataDir, 'portal.log')], settings)
  })
  say(`${target} has versions, settings, health, sizes of tables, clusters and the end of the log, without secrets.`)
  say('Names of people, clusters and addresses are in it: look at it before you hand it on.')
  return 0
}

/** Settings as the launcher gives them to its portal, and further secrets of the data folder, which may be in no bundle either. */
function settingsOf({ dataDir, keycloak, secretKey, otherSecretKey }: Installation): Env {
  const ports = join(dataDir, 'ports.json')
  const { identity } = existsSync(ports) ? (JSON.parse(readFileSync(ports, 'utf8')) as { identity?: number }) : {}
  const kept = readdirSync(dataDir).filter((name) => name.endsWith('-password') || name.endsWith('-token'))
  return {
    QUAYSIDE_DATA_DIR: join(dataDir, 'portal'),
    QUAYSIDE_SECRET_KEY: secretKey,
    QUAYSIDE_OTHER_SECRET_KEY: otherSecretKey,
    KEYCLOAK_URL: keycloak?.url ?? (identity === undefined ? undefined : `http://127.0.0.1:${identity}/auth`),
    KEYCLOAK_CLIENT_SECRET: keycloak?.clientSecret ?? keptSecret(dataDir, 'identity-client-secret'),
    QUAYSIDE_FURTHER_SECRETS: JSON.stringify(kept.map((name) => keptSecret(dataDir, name))),
  }
}

async function write(target: string, program: readonly string[], env: Env): Promise<void> {
  const file = createWriteStream(target, { mode: 0o600, flags: 'wx' })
  await once(file, 'open').catch((error: unknown) => {
    const isThere = errorCode(error) === 'EEXIST'
    throw new Obstacle(isThere ? `${target} is there already. Name another file.` : `${target}: ${errorCode(error)}`)
  })
  const child = spawn(process.execPath, [...program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [wrong, exited] = [text(child.stderr), once(child, 'exit')]
  try {
    await pipeline(child.stdout, file)
    const [code] = await exited
    if (code !== 0) throw new Error(await wrong)
  } catch (error) {
    rmSync(target, { force: true })
    throw error
  }
}
