import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { MatrixWorld } from '../matrix/stage.ts'

type OwnedWorld = Pick<MatrixWorld, 'databaseUrl' | 'dataDir'>

/** An account that may do anything to the World's own PostgreSQL. */
async function superuser({ databaseUrl, dataDir }: OwnedWorld): Promise<pg.Client> {
  const url = new URL(databaseUrl)
  url.username = 'postgres'
  url.password = readFileSync(join(dataDir, 'postgres', 'superuser-password'), 'utf8').trim()
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  return client
}

/**
 * While `work` runs, PostgreSQL keeps what it is asked to commit and then cuts the connection instead of answering: each
 * commit waits for a standby that there is not, and what waits is ended.
 */
export async function withLostCommits<Result>(world: OwnedWorld, work: () => Promise<Result>): Promise<Result> {
  const client = await superuser(world)
  const set = async (name: string) => {
    await client.query(`alter system set synchronous_standby_names = '${name}'`)
    await client.query('select pg_reload_conf()')
  }
  let isOver = false
  async function cutAll() {
    while (!isOver) {
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
      await delay(20)
    }
  }
  try {
    await set('nobody')
    const cutting = cutAll()
    try {
      return await work()
    } finally {
      isOver = true
      await cutting
    }
  } finally {
    await set('').finally(() => client.end())
  }
}

/** Cuts the connection of a statement that waits for a table that somebody else holds: nothing of it is kept. */
export async function withLostStatements<Result>(
  world: OwnedWorld,
  table: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await superuser(world)
  const waiting = `select pid from pg_locks where not granted and relation = '${table}'::regclass`
  try {
    await client.query(`begin; lock table ${table} in share mode`)
    const asked = work()
    const until = performance.now() + 8_000
    while ((await client.query(waiting)).rowCount === 0 && performance.now() < until) await delay(20)
    await client.query(`select pg_terminate_backend(pid) from (${waiting}) as those`)
    return await asked
  } finally {
    await client.end()
  }
}
