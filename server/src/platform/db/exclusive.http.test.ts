import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createExclusive, type Exclusive } from './exclusive.ts'

const url = process.env.QUAYSIDE_TEST_POSTGRES?.replace('{database}', 'postgres') ?? ''
const pools = [new pg.Pool({ connectionString: url, max: 4 }), new pg.Pool({ connectionString: url, max: 4 })]
const name = `exclusive ${randomBytes(6).toString('hex')}`
let replicas: Exclusive[]

beforeAll(() => {
  for (const pool of pools) pool.on('connect', (client) => client.on('error', () => undefined))
  replicas = pools.map((pool) => createExclusive(pool))
})
afterAll(() => Promise.all(pools.map((pool) => pool.end())))

it('lets one of many at a time work, of two replicas, and also those behind one that failed', async () => {
  let [running, most, done] = [0, 0, 0]
  const work = (index: number) => async () => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    done += 1
    if (index % 5 === 0) throw new Error('it went wrong')
  }
  await Promise.allSettled(Array.from({ length: 20 }, (_, index) => replicas[index % 2]?.(name, work(index))))
  expect([most, done, running]).toEqual([1, 20, 0])
})

it('tells whoever works that the lock is lost with its connection', async () => {
  const working = replicas[0]?.(name, async (mustBeAlone) => {
    await mustBeAlone()
    await pools[1]?.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = hashtext($1)::bigint & 4294967295`,
      [name],
    )
    await mustBeAlone()
  })
  await expect(working).rejects.toMatchObject({ code: 'database.unavailable' })
  expect(await replicas[1]?.(name, async () => 'free')).toBe('free')
})
