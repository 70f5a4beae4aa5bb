import { readFileSync, statSync } from 'node:fs'
import { release } from 'node:os'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'
import { findHelm } from './adapters/helm/binary.ts'
import { settingNames, withFiles } from './platform/config/config.ts'
import { openDb } from './platform/db/db.ts'
import { createLogger } from './platform/logging/logger.ts'
import { clusterFigures, databaseFigures } from './portal/support/database-figures.ts'
import { createRedactor } from './portal/support/redact.ts'
import { secretsIn, shownSettings } from './portal/support/shown-settings.ts'

/**
 * A program of its own: writes a tar.gz to its output that tells somebody else how this portal is, without its secrets. It reads the
 * portal's own settings, and the end of a log where one is named. A part that cannot be had says why in its place.
 */
const mostLogBytes = 4 * 1024 * 1024
const root = resolve(import.meta.dirname, '../..')
const [logFile] = process.argv.slice(2)
const given = withFiles(process.env)
/** Secrets that no setting has, from a launcher. */
const further = JSON.parse(process.env.QUAYSIDE_FURTHER_SECRETS ?? '[]') as string[]
const redact = createRedactor([...secretsIn(given), ...further])

const bundle = pack()
const sent = pipeline(bundle, createGzip(), process.stdout)
for (const [name, content] of await parts())
  bundle.entry({ name: `quayside-support/${name}`, mtime: new Date() }, redact(content))
bundle.finalize()
await sent
process.exit()

async function parts(): Promise<[string, string][]> {
  const db = given.DATABASE_URL === undefined ? undefined : openDb(given.DATABASE_URL, createLogger('silent'))
  const none = () => Promise.reject(new Error('DATABASE_URL is not set'))
  const made = await Promise.all([
    part('versions.json', versions),
    part('settings.json', async () => shownSettings(settingNames, given)),
    part('health.json', health),
    part('database.json', () => (db ? databaseFigures(db) : none())),
    part('clusters.json', () => (db ? clusterFigures(db) : none())),
  ])
  await db?.close()
  return logFile === undefined ? made : [...made, ['portal.log', endOf(logFile)]]
}

async function part(name: string, make: () => Promise<unknown>): Promise<[string, string]> {
  const content = await make().catch((error: unknown) => ({
    error: error instanceof Error ? error.message : String(error),
  }))
  return [name, `${JSON.stringify(content, null, 2)}\n`]
}

async function versions() {
  const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8')) as { version: string }
  const searchPath = (process.env.PATH ?? '').split(':')
  const binFolder = resolve(given.QUAYSIDE_DATA_DIR ?? '.quayside', 'bin')
  const helm = await findHelm({ named: given.HELM_BIN, searchPath, binFolder }).then(
    (found) => found.version,
    (error: Error) => error.message,
  )
  return {
    ...{ at: new Date().toISOString(), quayside: version, node: process.version, helm },
    ...{ platform: `${process.platform} ${process.arch}`, kernel: release() },
  }
}

async function health() {
  const own = `${given.QUAYSIDE_TLS_CERT_FILE ? 'https' : 'http'}://127.0.0.1:${given.QUAYSIDE_PORT ?? '8080'}`
  return Object.fromEntries(
    await Promise.all([ask('portal', `${own}/readyz`), ask('identity server', `${given.KEYCLOAK_URL}/realms/master`)]),
  )
}

async function ask(name: string, url: string): Promise<[string, unknown]> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5000) })
    const text = await answer.text()
    return [name, { status: answer.status, ...(name === 'portal' ? { body: text.slice(0, 1000) } : {}) }]
  } catch (error) {
    const { message, cause } = error as Error
    return [name, { error: cause instanceof Error ? cause.message : message }]
  }
}

/** The last lines of a log, whole ones. */
function endOf(file: string): string {
  try {
    const { size } = statSync(file)
    const text = readFileSync(file)
      .subarray(Math.max(0, size - mostLogBytes))
      .toString()
    return size > mostLogBytes ? text.slice(text.indexOf('\n') + 1) : text
  } catch (error) {
    return `${error instanceof Error ? error.message : error}\n`
  }
}
