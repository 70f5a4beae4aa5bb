import { prepareTables } from '@quayside/embedded-identity/restore'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import type pg from 'pg'
import { readArchive } from './archive.ts'
import { type Contents, type Manifest, versionTables } from './manifest.ts'
import {
  beginLoading,
  connect,
  endLoading,
  lockForRestore,
  putRows,
  removeTables,
  setNumberings,
  type Table,
  tablesOf,
} from './tables.ts'

interface Databases {
  portalUrl: string
  identityUrl: string
  secretKey: string
  /** Makes the portal's tables as they were at these steps. */
  makeTables(steps: string[], databaseUrl: string): Promise<unknown>
}

interface Target {
  client: pg.Client
  tables: Map<string, Table>
  rows: Record<string, number>
}

/** Makes the tables of both databases and puts all rows back; leaves them as empty as they were when that fails. */
export async function restoreRows(source: string, manifest: Manifest, databases: Databases): Promise<void> {
  const portal = await connect(databases.portalUrl)
  const identity = manifest.identity ? await connect(databases.identityUrl) : undefined
  const clients = identity ? [portal, identity] : [portal]
  try {
    await mustBeOnlyRestore(portal)
    for (const client of clients) await mustBeEmpty(client)
    try {
      await databases.makeTables(manifest.portal.steps, databases.portalUrl)
      if (manifest.identity) await prepareTables(databases.identityUrl, databases.secretKey, manifest.identity.version)
      const targets = { portal: await targetOf(portal), identity: identity && (await targetOf(identity)) }
      await putRowsBack(source, targets)
      await finish(targets.portal, manifest.portal)
      if (targets.identity && manifest.identity) await finish(targets.identity, manifest.identity)
    } catch (error) {
      // They were empty, so tables of these names are ours.
      await removeTables(portal, namesIn(manifest.portal))
      if (identity && manifest.identity) await removeTables(identity, namesIn(manifest.identity))
      throw error
    }
  } finally {
    for (const client of clients) await client.end()
  }
}

const namesIn = ({ rows }: Contents) => [...Object.keys(rows), ...versionTables]

async function mustBeOnlyRestore(client: pg.Client): Promise<void> {
  if (await lockForRestore(client)) return
  throw new Obstacle(
    `Another restore is filling the database ${client.database} at this moment. Wait until it has ended, or name another database by DATABASE_URL.`,
  )
}

async function mustBeEmpty(client: pg.Client): Promise<void> {
  if ((await tablesOf(client)).length === 0) return
  throw new Obstacle(
    `The database ${client.database} is not empty. Nothing is restored over an installation: name an empty database by DATABASE_URL.`,
  )
}

async function targetOf(client: pg.Client): Promise<Target> {
  const tables = await tablesOf(client, versionTables)
  await beginLoading(client, tables)
  return { client, tables: new Map(tables.map((table) => [table.name, table])), rows: {} }
}

/** Rows lie in the archive in the order in which they can be put back. */
async function putRowsBack(source: string, targets: { portal: Target; identity: Target | undefined }): Promise<void> {
  await readArchive(source, async (name, content) => {
    const [, database = '', tableName = ''] = /^(portal|identity)\/([^/]+)\//.exec(name) ?? []
    const target = targets[database as keyof typeof targets]
    const table = target?.tables.get(tableName)
    if (!target || !table) return
    const put = await putRows(target.client, table, content.toString().split('\n'))
    target.rows[tableName] = (target.rows[tableName] ?? 0) + put
  })
}

/** Commits when every row is there. */
async function finish({ client, tables, rows }: Target, wanted: Contents): Promise<void> {
  for (const [table, count] of Object.entries(wanted.rows))
    if ((rows[table] ?? 0) !== count) throw new Error(`${table} has ${rows[table] ?? 0} rows instead of ${count}`)
  await setNumberings(client, wanted.numberings)
  await endLoading(client, [...tables.values()])
}
