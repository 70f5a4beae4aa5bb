import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import type pg from 'pg'
import { mustBeWhole } from '../launch/obstacles.ts'
import { dataDirFrom, installationFrom } from '../launch/plan.ts'
import { type ArchiveWriter, taken, writeArchive } from './archive.ts'
import { type Contents, format, versionTables } from './manifest.ts'
import { filesOf, withDatabases } from './places.ts'
import { beginSnapshot, connect, numberingsOf, rowsOf, tablesOf } from './tables.ts'

type Say = (line: string) => void

/**
 * Writes everything that an installation is made of into one file: rows of the portal and of the embedded identity
 * server, packages among them, the key, and the files of the data folder that are nowhere else. The portal may run.
 */
export async function backUp([file, ...more]: readonly string[], env: NodeJS.ProcessEnv, root: string, say: Say) {
  if (file === undefined || more.length > 0) throw new Obstacle('Usage: npm run backup -- <file>')
  const target = resolve(file)
  if (existsSync(target)) throw taken(target)
  mustBeWhole(dataDirFrom(env, root), env)
  const installation = installationFrom(env, root)
  const { dataDir, keycloak, secretKey } = installation
  if (!existsSync(dataDir) || secretKey === undefined)
    throw new Obstacle(`There is no installation in ${dataDir}. Set QUAYSIDE_DATA_DIR to its data folder.`)
  const archive = writeArchive(target)
  try {
    await withDatabases(installation, async ({ portalUrl, identityUrl }) => {
      const portal = await connect(portalUrl)
      const identity = keycloak ? undefined : await connect(identityUrl)
      try {
        // Both begin as close to each other as can be, so that accounts and what they made belong together.
        await Promise.all([portal, identity].map((client) => client && beginSnapshot(client)))
        const steps = await column(portal, 'select name as value from kysely_migration order by name')
        const product = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
        const about = {
          ...({ format, product, at: new Date().toISOString() } as const),
          portal: { steps, ...(await addTables(archive, 'portal', portal)) },
          identity: identity
            ? { version: await versionOf(identity), ...(await addTables(archive, 'identity', identity)) }
            : null,
        }
        await archive.add('files/secret-key', Buffer.from(`${secretKey}\n`))
        for (const name of filesOf(dataDir)) await archive.add(`files/${name}`, readFileSync(join(dataDir, name)))
        await archive.close(about)
        reportResult(say, { target, about, hasKeycloak: keycloak !== undefined })
      } finally {
        await Promise.all([portal.end(), identity?.end()])
      }
    })
  } catch (error) {
    await archive.abandon()
    throw error
  }
  return 0
}

async function addTables(archive: ArchiveWriter, database: string, client: pg.Client): Promise<Contents> {
  const tables = await tablesOf(client, versionTables)
  const rows: Record<string, number> = {}
  for (const table of tables) {
    let [count, part] = [0, 0]
    for await (const lines of rowsOf(client, table)) {
      part += 1
      count += lines.length
      const name = `${database}/${table.name}/${String(part).padStart(6, '0')}.jsonl`
      await archive.add(name, Buffer.from(lines.join('\n')))
    }
    rows[table.name] = count
  }
  return { rows, numberings: await numberingsOf(client, tables) }
}

async function column(client: pg.Client, text: string): Promise<string[]> {
  return (await client.query<{ value: string }>(text)).rows.map(({ value }) => value)
}

async function versionOf(identity: pg.Client): Promise<number> {
  return Number((await column(identity, 'select max(version)::text as value from identity_version'))[0] ?? 0)
}

interface Done {
  target: string
  about: { portal: Contents; identity: Contents | null }
  hasKeycloak: boolean
}

function reportResult(say: Say, { target, about: { portal, identity }, hasKeycloak }: Done): void {
  const count = (contents: Contents | null) => Object.values(contents?.rows ?? {}).reduce((sum, rows) => sum + rows, 0)
  const mebibytes = (statSync(target).size / 1024 / 1024).toFixed(1)
  say(`Backed up ${count(portal) + count(identity)} rows with their packages to ${target} (${mebibytes} MiB).`)
  say('It holds the key that decrypts kubeconfigs and passwords, so keep it as you keep those.')
  if (hasKeycloak) say('People and roles are in Keycloak, which is not in it: back that up as well.')
  say('What runs on clusters is not in it either, apart from the Sandbox: a restored portal finds it where it is.')
}
