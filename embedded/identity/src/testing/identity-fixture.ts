import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import KeycloakAdminClient from '@keycloak/keycloak-admin-client'
import { freePort } from '@quayside/embedded-postgres/ports'
import { ensureDatabase, startPostgres } from '@quayside/embedded-postgres/postgres'
import pg from 'pg'
import type { Outbound } from '../brokering/outbound.ts'
import { startIdentity } from '../identity.ts'

/** A running identity server on throw-away data, and the official client of its Admin API. */
export interface IdentityFixture extends AsyncDisposable {
  url: string
  databaseUrl: string
  publicUrl: string
  admin: KeycloakAdminClient
  adminClient: { id: string; secret: string }
  /** Errors that the server did not expect; a test that makes none wants this empty. */
  reported: Error[]
  sql(text: string, values?: unknown[]): Promise<void>
  /** Everything in the database, as a dump has it. */
  dump(): Promise<string>
}

async function openPostgres() {
  const address = process.env.QUAYSIDE_TEST_POSTGRES
  if (address) {
    return {
      url: (database: string) => address.replace('{database}', encodeURIComponent(database)),
      close: async () => {},
    }
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'quayside-identity-'))
  const postgres = await startPostgres({ dataDir, durable: false })
  const close = async () => {
    await postgres.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { url: postgres.url, close }
}

/** All rows of all tables. */
async function dumpOf(database: Pick<pg.Pool, 'query'>): Promise<string> {
  const { rows: tables } = await database.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await database.query(`select * from ${name}`)
    texts.push(JSON.stringify(rows))
  }
  return texts.join('\n')
}

const anywhere: Outbound = { allowPrivate: true, allowed: [] }

interface FixtureOptions {
  /** Fills the database before the first start. */
  prepare?(databaseUrl: string): Promise<void>
  /** How browsers reach it, when that is not how it listens. */
  publicOrigin?: string
  allowedAddresses?: readonly string[]
  /** The key that secrets are encrypted by, where what was prepared has one. */
  secretKey?: string
  /** Foreign identity providers that it may ask; left out: any, as those of a test are on this machine. */
  outbound?: Outbound
}

/** Starts PostgreSQL (or uses the one of the test run) and the identity server on it. A failed start leaves nothing. */
export async function startIdentityFixture(options: FixtureOptions = {}): Promise<IdentityFixture> {
  const { prepare, publicOrigin, allowedAddresses = [], outbound = anywhere } = options
  const { secretKey = randomBytes(32).toString('base64url') } = options
  await using started = new AsyncDisposableStack()
  const postgres = await openPostgres()
  started.defer(postgres.close)
  const databaseUrl = await ensureDatabase(postgres, `identity_${randomBytes(6).toString('hex')}`)
  await prepare?.(databaseUrl)
  const port = await freePort('127.0.0.1')
  const publicUrl = `${publicOrigin ?? `http://127.0.0.1:${port}`}/auth`
  const adminClient = { id: 'quayside-server', secret: randomBytes(24).toString('base64url') }
  const reported: Error[] = []
  const report = (error: Error) => void reported.push(error)
  const identity = await startIdentity({
    ...{ databaseUrl, publicUrl, port, adminClient, secretKey, report, allowedAddresses, outbound },
  })
  started.defer(() => identity.close())
  const admin = new KeycloakAdminClient({ baseUrl: identity.url, realmName: 'master' })
  await admin.auth({ grantType: 'client_credentials', clientId: adminClient.id, clientSecret: adminClient.secret })
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  started.defer(() => pool.end())
  const parts = started.move()
  return {
    url: identity.url,
    databaseUrl,
    publicUrl,
    admin,
    adminClient,
    reported,
    sql: async (text, values) => void (await pool.query(text, values)),
    dump: () => dumpOf(pool),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
