import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLogger } from '../logging/logger.ts'
import { type Db, openDb } from './db.ts'

const database = `db_${randomBytes(6).toString('hex')}`
const urlOf = (name: string) => (process.env.QUAYSIDE_TEST_POSTGRES ?? '').replace('{database}', name)
/** More often than a statement must be asked for until its plan is kept, on every connection. */
const often = 8

interface Tables {
  berth: { tenant_id: string; name: string }
}

let server: pg.Client
let direct: pg.Client
let db: Db

beforeAll(async () => {
  server = new pg.Client({ connectionString: urlOf('postgres') })
  await server.connect()
  await server.query(`create database ${database}`)
  direct = new pg.Client({ connectionString: urlOf(database) })
  await direct.connect()
  await direct.query(`
    create table berth (tenant_id text not null, name text not null unique);
    alter table berth enable row level security;
    alter table berth force row level security;
    create policy own on berth using (current_setting('app.tenant', true) in (tenant_id, '*'))`)
  db = openDb(urlOf(database), createLogger('silent'))
})
afterAll(async () => {
  await db?.close()
  await direct?.end()
  await server?.query(`drop database if exists ${database} with (force)`)
  await server?.end()
})

const add = (tenant: string, name: string) =>
  db.tenantOne<Tables, unknown>(tenant, (trx) => trx.insertInto('berth').values({ tenant_id: tenant, name }).execute())
const seenBy = (tenant: string) =>
  db.tenantOne<Tables, string[]>(tenant, async (trx) =>
    (await trx.selectFrom('berth').selectAll().where('name', '!=', '').orderBy('name').execute()).map(
      ({ name }) => name,
    ),
  )

describe('one statement in one trip', () => {
  test('is a transaction of its tenant, and so is what the same connection does next', async () => {
    await Promise.all([add('a', 'a1'), add('b', 'b1'), add('a', 'a2')])
    for (let at = 0; at < often; at += 1)
      expect(await Promise.all([seenBy('a'), seenBy('b'), seenBy('nobody')])).toEqual([['a1', 'a2'], ['b1'], []])
    const all = await db.platformOne<Tables, unknown[]>((trx) => trx.selectFrom('berth').select('name').execute())
    expect(all).toHaveLength(3)
    expect((await db.pool.query('select name from berth')).rows).toEqual([])
  })

  test('that fails says why, changes nothing and leaves the connection usable', async () => {
    await expect(add('a', 'a1')).rejects.toMatchObject({ code: '23505' })
    await expect(
      db.tenantOne<Tables, unknown>('a', (trx) =>
        trx.insertInto('berth').values({ tenant_id: 'b', name: 'foreign' }).execute(),
      ),
    ).rejects.toMatchObject({ code: '42501' })
    expect(await seenBy('a')).toEqual(['a1', 'a2'])
  })

  test('is not two: the second is refused instead of running outside of the transaction', async () => {
    const two = db.tenantOne<Tables, unknown>('a', async (trx) => {
      await trx.selectFrom('berth').selectAll().execute()
      await trx.deleteFrom('berth').execute()
    })
    await expect(two).rejects.toThrow('a second statement where one was announced')
    expect(await seenBy('a')).toEqual(['a1', 'a2'])
  })

  test('whose answer is lost says that nobody knows; one that only reads does not', async () => {
    const cut = async (work: Promise<unknown>) => {
      const ended = Promise.allSettled([work])
      const waiting = `select pid from pg_stat_activity where datname = '${database}' and wait_event = 'PgSleep'`
      await expect.poll(async () => (await server.query(waiting)).rowCount, { timeout: 5000 }).toBe(1)
      await server.query(`select pg_terminate_backend(pid) from (${waiting}) as those`)
      await ended
      return work
    }
    const reading = db.tenantOne('a', (trx) => sql`select pg_sleep(20)`.execute(trx))
    await expect(cut(reading)).rejects.toMatchObject({ code: 'database.unavailable' })
    const writing = db.tenantOne('a', (trx) => sql`update berth set name = name || pg_sleep(20)::text`.execute(trx))
    await expect(cut(writing)).rejects.toMatchObject({ code: 'database.outcome-unknown' })
    expect(await seenBy('a')).toEqual(['a1', 'a2'])
  })
})

test('several statements see what those before them did, and all are taken back with the one that fails', async () => {
  const both = db.tenant<Tables, number>('c', async (trx) => {
    await trx.insertInto('berth').values({ tenant_id: 'c', name: 'c1' }).execute()
    return (await trx.selectFrom('berth').selectAll().execute()).length
  })
  expect(await both).toBe(1)
  const failing = db.tenant<Tables, void>('c', async (trx) => {
    await trx.deleteFrom('berth').execute()
    await trx.insertInto('berth').values({ tenant_id: 'b', name: 'foreign' }).execute()
  })
  await expect(failing).rejects.toMatchObject({ code: '42501' })
  expect(await seenBy('c')).toEqual(['c1'])
})

test('a migration under kept plans of a running replica is no error of those who read', async () => {
  for (let at = 0; at < often; at += 1) await Promise.all([seenBy('a'), seenBy('b')])
  await direct.query('alter table berth add column length int')
  for (let at = 0; at < often; at += 1)
    expect(await Promise.all([seenBy('a'), seenBy('b')])).toEqual([['a1', 'a2'], ['b1']])
  const longer = db.tenant<Tables, unknown>('a', (trx) =>
    trx.selectFrom('berth').selectAll().where('name', '!=', '').orderBy('name').execute(),
  )
  expect(await longer).toHaveLength(2)
})
