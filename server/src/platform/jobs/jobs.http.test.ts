import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Db, openDb } from '../db/db.ts'
import { createLogger } from '../logging/logger.ts'
import { createJobs, type Jobs } from './jobs.ts'

const database = `jobs_${randomBytes(6).toString('hex')}`
const urlOf = (name: string) => (process.env.QUAYSIDE_TEST_POSTGRES ?? '').replace('{database}', name)
const log = createLogger('silent')
let server: pg.Client
let db: Db
let jobs: Jobs

beforeAll(async () => {
  server = new pg.Client({ connectionString: urlOf('postgres') })
  await server.connect()
  await server.query(`create database ${database}`)
  db = openDb(urlOf(database), log)
  jobs = await createJobs(urlOf(database), log)
})
afterAll(async () => {
  await jobs?.close()
  await db?.close()
  await server?.query(`drop database if exists ${database} with (force)`)
  await server?.end()
})

it('jobs that stand in line are begun when a place becomes free, and never more at once than there are places', async () => {
  const count = 24
  const done: number[] = []
  let running = 0
  let most = 0
  await jobs.declare('line', { concurrency: 3, expireSeconds: 60 })
  await jobs.work<{ at: number }>('line', async ({ at }) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
    done.push(at)
    // One that fails leaves its place as free as the others.
    if (at === 0) throw new Error('on purpose')
  })
  await db.platform(async (trx) => {
    for (let at = 0; at < count; at += 1) await jobs.send(trx, 'line', `job ${at}`, { at })
  })
  // By the slow poll alone, every half a minute, three at a time would take four minutes.
  await expect.poll(() => done.length, { timeout: 25_000 }).toBe(count)
  expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, at) => at))
  expect(most).toBeLessThanOrEqual(3)
}, 40_000)
