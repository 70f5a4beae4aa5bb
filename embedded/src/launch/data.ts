import { join } from 'node:path'
import { endAfterUs } from '@quayside/embedded-postgres/guard'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { ensureDatabase, type Postgres, startPostgres } from '@quayside/embedded-postgres/postgres'
import pg from 'pg'

/** Addresses of the two databases, and what to stop in the end. */
export type Data = { portalUrl: string; identityUrl: string; postgres: OwnPostgres | undefined }

/** A PostgreSQL of ours; it may be killed and started again on the same data and at the same address. */
export type OwnPostgres = Pick<Postgres, 'signal' | 'close'> & {
  /** Resolves when the one that runs now has ended. */
  exited(): Promise<void>
  start(): Promise<void>
}

type Source =
  /** A PostgreSQL of somebody else with one database for us: identity gets a schema of its own in it. */
  | { kind: 'given'; databaseUrl: string }
  /** A running PostgreSQL in which we may make databases. */
  | { kind: 'shared'; postgres: Pick<Postgres, 'url'>; prefix: string }
  /** Ours, started now. */
  | { kind: 'own'; dataDir: string; durable: boolean }

export type { Source as DataSource }

/** Opens the place where everything is kept. */
export async function openData(source: Source): Promise<Data> {
  if (source.kind === 'given') {
    const identityUrl = await schemaOf(source.databaseUrl, 'identity')
    return { portalUrl: source.databaseUrl, identityUrl, postgres: undefined }
  }
  if (source.kind === 'shared') return { ...(await databases(source.postgres, source.prefix)), postgres: undefined }
  const place = { dataDir: join(source.dataDir, 'postgres'), durable: source.durable }
  let postgres = await startPostgres(place)
  let callOff = endAfterUs(postgres.pid)
  const own: OwnPostgres = {
    exited: () => postgres.exited,
    signal: (signal) => postgres.signal(signal),
    async close() {
      await postgres.close()
      callOff()
    },
    async start() {
      await postgres.close()
      callOff()
      postgres = await startPostgres(place)
      callOff = endAfterUs(postgres.pid)
    },
  }
  try {
    return { ...(await databases(postgres, 'quayside')), postgres: own }
  } catch (error) {
    await own.close()
    throw error
  }
}

async function databases(postgres: Pick<Postgres, 'url'>, prefix: string) {
  const portalUrl = await ensureDatabase(postgres, prefix)
  return { portalUrl, identityUrl: await ensureDatabase(postgres, `${prefix}_identity`) }
}

async function schemaOf(databaseUrl: string, schema: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 })
  await client.connect().catch((error) => {
    throw new Obstacle(
      `The PostgreSQL of DATABASE_URL cannot be used: ${error.message || error.code}. Check the address.`,
    )
  })
  await client.query(`create schema if not exists ${pg.escapeIdentifier(schema)}`).finally(() => client.end())
  const options = encodeURIComponent(`-c search_path=${schema}`)
  return `${databaseUrl}${databaseUrl.includes('?') ? '&' : '?'}options=${options}`
}
