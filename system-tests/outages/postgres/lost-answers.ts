import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { MatrixWorld } from '../../fault-matrix/stage.ts'

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

/** Selects the commits whose answers are cut: those that wrote to `table`, at most `most` of them. */
interface Chosen {
  table: string
  most: number
}

/** PostgreSQL takes a changed setting over some time after it was told to: commits are tried until they wait, or no longer do. */
async function untilCommitsWait(world: OwnedWorld, client: pg.Client, wanted: boolean): Promise<void> {
  const probe = await superuser(world)
  const {
    rows: [{ pid }],
  } = await probe.query('select pg_backend_pid() as pid')
  const isWaiting = async () =>
    (await client.query(`select from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'`, [pid])).rowCount === 1
  const until = performance.now() + 8_000
  try {
    for (;;) {
      let isAnswered = false
      const commit = probe.query(`select pg_logical_emit_message(true, 'probe', '')`).then(() => {
        isAnswered = true
      })
      let waits = false
      while (!isAnswered && !waits) waits = await isWaiting()
      // A cancelled wait lets the commit through with a warning.
      if (waits) await client.query('select pg_cancel_backend($1)', [pid])
      await commit
      if (waits === wanted) return
      if (performance.now() > until) throw new Error(`PostgreSQL did not take over synchronous_standby_names in 8 s`)
      await delay(20)
    }
  } finally {
    await probe.end()
  }
}

/**
 * While `work` runs, PostgreSQL keeps what it is asked to commit and then cuts the connection instead of answering: each
 * commit waits for a standby that there is not, and what waits is ended, or let go on when it is not among the chosen.
 */
export async function withLostCommits<Result>(
  world: OwnedWorld,
  work: () => Promise<Result>,
  chosen?: Chosen,
): Promise<Result> {
  const client = await superuser(world)
  const set = async (name: string) => {
    await client.query(`alter system set synchronous_standby_names = '${name}'`)
    await client.query('select pg_reload_conf()')
    await untilCommitsWait(world, client, name !== '')
  }
  // A commit that waits still holds its locks, which tell what it wrote to.
  const waiting = (isChosen: string) =>
    `select each.pid from pg_stat_activity as each where wait_event = 'SyncRep' and ${isChosen} exists
     (select from pg_locks where pg_locks.pid = each.pid and relation = '${chosen?.table}'::regclass and mode = 'RowExclusiveLock')`
  let left = chosen?.most ?? 0
  let isOver = false
  async function cutAll() {
    while (!isOver) {
      if (chosen) {
        const cut = await client.query(`select pg_terminate_backend(pid) from (${waiting('')} limit ${left}) as those`)
        left -= cut.rowCount ?? 0
        const isAnswered = left > 0 ? waiting('not') : `select pid from pg_stat_activity where wait_event = 'SyncRep'`
        await client.query(`select pg_cancel_backend(pid) from (${isAnswered}) as those`)
      } else await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`)
      await delay(20)
    }
  }
  try {
    await set('nobody')
    const cutting = cutAll()
    try {
      const result = await work()
      if (left > 0) throw new Error(`${left} more commits that wrote to ${chosen?.table} were to be cut`)
      return result
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
