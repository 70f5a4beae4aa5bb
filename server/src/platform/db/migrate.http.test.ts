import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLogger } from '../logging/logger.ts'
import { type Db, openDb } from './db.ts'
import { migrate, type SchemaStep } from './migrate.ts'
import { isolateTenants } from './tenancy.ts'

const database = `migrate_${randomBytes(6).toString('hex')}`
const urlOf = (name: string) => (process.env.QUAYSIDE_TEST_POSTGRES ?? '').replace('{database}', name)
let server: pg.Client
let db: Db

beforeAll(async () => {
  server = new pg.Client({ connectionString: urlOf('postgres') })
  await server.connect()
  await server.query(`create database ${database}`)
  db = openDb(urlOf(database), createLogger('silent'))
})
afterAll(async () => {
  await db?.close()
  await server?.query(`drop database if exists ${database} with (force)`)
  await server?.end()
})

const ran: string[] = []
const step = (name: string): SchemaStep => ({
  name,
  async up(kysely) {
    await sql`select 1`.execute(kysely)
    ran.push(name)
  },
})

it('a step that comes in between runs on a database that has the others, and once', async () => {
  const before = ['portal/001-tables', 'catalog/001-tables'].map(step)
  await migrate(db, before)
  expect(ran).toEqual(['portal/001-tables', 'catalog/001-tables'])

  const after = ['portal/001-tables', 'portal/002-menu', 'catalog/001-tables', 'catalog/002-more'].map(step)
  const other = openDb(urlOf(database), createLogger('silent'))
  try {
    await Promise.all([migrate(db, after), migrate(other, after)])
  } finally {
    await other.close()
  }
  await migrate(db, after)
  expect(ran.slice(2)).toEqual(['portal/002-menu', 'catalog/002-more'])
})

it('a step changes rows of every tenant, and what comes after it sees none by itself', async () => {
  const first = ['portal/001-tables', 'portal/002-menu', 'catalog/001-tables', 'catalog/002-more'].map(step)
  const made: SchemaStep = {
    name: 'things/001-table',
    async up(kysely) {
      await sql`create table things (tenant_id text primary key, n int not null default 0)`.execute(kysely)
      await isolateTenants(kysely, 'things')
      await sql`insert into things values ('one'), ('two')`.execute(kysely)
    },
  }
  const changed: SchemaStep = {
    name: 'things/002-changed',
    async up(kysely) {
      await sql`update things set n = 1`.execute(kysely)
    },
  }
  await migrate(db, [...first, made])
  await migrate(db, [...first, made, changed])
  const seen = await sql`select n from things`.execute(db.kysely)
  expect(seen.rows).toEqual([])
  const all = await db.kysely.transaction().execute(async (trx) => {
    await sql`select set_config('app.tenant', '*', true)`.execute(trx)
    return sql<{ n: number }>`select n from things`.execute(trx)
  })
  expect(all.rows).toEqual([{ n: 1 }, { n: 1 }])
  await db.kysely.executeQuery(sql`delete from kysely_migration where name like '%things/%'`.compile(db.kysely))
})

it('a database that a newer portal has changed is left alone by an older one', async () => {
  await expect(migrate(db, [step('portal/001-tables')])).rejects.toThrow(
    /^DATABASE_URL: a newer version of Quayside has changed this database/,
  )
})
