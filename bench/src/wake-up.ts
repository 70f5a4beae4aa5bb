import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureDatabase, startPostgres } from '@quayside/embedded-postgres/postgres'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import type { Report } from './report.ts'
import { median, quantile, round } from './statistics.ts'

const singles = 100
const rush = 200
const places = 8
/** Work on each action of a rush, in milliseconds: long enough that the others stand in line. */
const workMs = 20
const channel = 'bench_action'

/** One way to wake a worker: what an accepting transaction adds, and the worker that calls `take` for each action. */
interface WakeUp {
  name: string
  announce(trx: pg.PoolClient, id: string): Promise<unknown>
  work(take: (id: string) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Time from the commit that accepts an action to the claim of its row, by the queue in use and by a note alone. */
export async function wakeUp(): Promise<Report> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quayside-wake-up-'))
  const postgres = await startPostgres({ dataDir, durable: true })
  try {
    const rows = []
    for (const [database, open] of Object.entries({ queue: pgBoss, note: noteAlone })) {
      const url = await ensureDatabase(postgres, database)
      const pool = new pg.Pool({ connectionString: url, max: 2 * places })
      // Connections that the end of the server cuts have done their work.
      pool.on('error', () => undefined)
      const way = await open(url)
      rows.push(await measured(way, pool))
      await way.close()
      await pool.end()
    }
    return {
      bench: 'wake-up',
      columns: ['way', 'median ms', 'p99 ms', `rush of ${rush}: s`, 'accept: median ms', 'transactions per action'],
      rows,
      notes: [
        `${singles} actions one after another, then ${rush} at once with ${places} places and ${workMs} ms of work on each.`,
        'From the commit of the accepting transaction to the commit of the claim, in one process.',
      ],
    }
  } finally {
    await postgres.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measured(way: WakeUp, pool: pg.Pool): Promise<(string | number)[]> {
  await pool.query('create table bench_actions (id text primary key, fence int not null default 0)')
  const claims = new Map<string, PromiseWithResolvers<number>>()
  let pauseMs = 0
  await way.work(async (id) => {
    const { rowCount } = await pool.query(
      `update bench_actions set fence = fence + 1 where id = (
        select id from bench_actions where id = $1 and fence = 0 for update skip locked)`,
      [id],
    )
    if (rowCount === 1) claims.get(id)?.resolve(performance.now())
    await new Promise((next) => setTimeout(next, pauseMs))
  })
  const accepting: number[] = []
  const accept = async (id: string): Promise<number> => {
    claims.set(id, Promise.withResolvers())
    const trx = await pool.connect()
    const since = performance.now()
    try {
      await trx.query('begin')
      await trx.query('insert into bench_actions (id) values ($1)', [id])
      await way.announce(trx, id)
      await trx.query('commit')
    } finally {
      trx.release()
    }
    accepting.push(performance.now() - since)
    return performance.now()
  }
  const claimed = (id: string) => claims.get(id)?.promise ?? Promise.reject(new Error(`nobody accepted ${id}`))
  const waits: number[] = []
  for (let at = 0; at <= singles; at += 1) {
    const accepted = await accept(`single-${at}`)
    const wait = (await claimed(`single-${at}`)) - accepted
    // The first one warms everything up.
    if (at > 0) waits.push(wait)
  }
  const alone = [...accepting]
  pauseMs = workMs
  const before = await transactions(pool)
  const since = performance.now()
  const ids = Array.from({ length: rush }, (_, at) => `rush-${at}`)
  await Promise.all(ids.map(accept))
  const last = Math.max(...(await Promise.all(ids.map(claimed))))
  const each = ((await transactions(pool)) - before) / rush
  return [
    way.name,
    round(median(waits), 1),
    round(quantile(waits, 0.99), 1),
    round((last - since) / 1000, 2),
    round(median(alone), 1),
    round(each, 1),
  ]
}

/** Statistics of other sessions arrive up to a second late. */
async function transactions(pool: pg.Pool): Promise<number> {
  await new Promise((next) => setTimeout(next, 1500))
  const { rows } = await pool.query<{ count: string }>(
    'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]?.count)
}

/** The queue as the portal sets it up: a worker for each place, woken by NOTIFY, and by whoever ends a job. */
async function pgBoss(url: string): Promise<WakeUp> {
  const boss = new PgBoss({ connectionString: url, max: 6, useListenNotify: true, persistQueueStats: false })
  boss.on('error', (error) => console.error(error))
  await boss.start()
  await boss.createQueue('actions', { policy: 'short', notify: true, retryLimit: 0, expireInSeconds: 300 })
  return {
    name: 'pg-boss',
    announce: (trx, id) =>
      boss.send('actions', { id }, { singletonKey: id, db: { executeSql: (text, values) => trx.query(text, values) } }),
    async work(take) {
      for (let at = 0; at < places; at += 1) {
        const place: { id?: string } = {}
        place.id = await boss.work<{ id: string }>('actions', { pollingIntervalSeconds: 2 }, async (jobs) => {
          for (const job of jobs) await take(job.data.id)
          if (place.id) boss.notifyWorker(place.id)
        })
      }
    },
    close: () => boss.stop({ graceful: false, close: true }),
  }
}

/** A note that names the action; those that find every place taken stand in line in memory. */
async function noteAlone(url: string): Promise<WakeUp> {
  const listener = new pg.Client({ connectionString: url })
  await listener.connect()
  await listener.query(`listen ${channel}`)
  return {
    name: 'NOTIFY and a claim',
    announce: (trx, id) => trx.query('select pg_notify($1, $2)', [channel, id]),
    async work(take) {
      const line: string[] = []
      let free = places
      const next = async () => {
        const id = free > 0 ? line.shift() : undefined
        if (id === undefined) return
        free -= 1
        await take(id)
        free += 1
        await next()
      }
      listener.on('notification', ({ payload }) => {
        line.push(payload ?? '')
        void next()
      })
    },
    close: () => listener.end(),
  }
}
