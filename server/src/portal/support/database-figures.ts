import { connect } from 'node:net'
import { sql } from 'kysely'
import { mapLimit } from '../../platform/concurrency/map-limit.ts'
import type { Db } from '../../platform/db/db.ts'

const reachWithinMs = 3000
const mostClusters = 500

interface TableSize {
  name: string
  bytes: number
  /** Estimated by the database. */
  rows: number
}

/** The version of the database, the steps that its tables went through, and how much room each takes. */
export async function databaseFigures(db: Db) {
  return db.platform(async (trx) => {
    const version = await sql<{ server_version: string }>`show server_version`.execute(trx)
    const steps = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(trx)
    const tables = await sql<TableSize>`
      select n.nspname || '.' || c.relname as name, pg_total_relation_size(c.oid)::float8 as bytes, c.reltuples::float8 as rows
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema') order by 2 desc`.execute(trx)
    const connections = await sql<{ state: string | null; count: number }>`
      select state, count(*)::int as count from pg_stat_activity where datname = current_database() group by state`.execute(
      trx,
    )
    return {
      version: version.rows[0]?.server_version,
      migrations: steps.rows.map(({ name }) => name),
      connections: connections.rows,
      tables: tables.rows,
    }
  })
}

interface Cluster {
  id: string
  tenant_id: string
  name: string
  server: string
  version: string | null
  health: string
  health_message: string | null
  checked_at: Date | null
}

/** Clusters as the portals saw them last, and what becomes of a connection to each from here and now. */
export async function clusterFigures(db: Db) {
  const { rows } = await db.platform((trx) =>
    sql<Cluster>`select id, tenant_id, name, server, version, health, health_message, checked_at from clusters
      order by tenant_id, name limit ${mostClusters}`.execute(trx),
  )
  return mapLimit(8, rows, async (each) => ({ ...each, connection: await reach(each.server) }))
}

function reach(address: string): Promise<string> {
  const url = URL.parse(address)
  if (!url) return Promise.resolve('no address')
  return new Promise((resolve) => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const socket = connect({ host, port: Number(url.port || 443), timeout: reachWithinMs })
    const end = (how: string) => {
      socket.destroy()
      resolve(how)
    }
    socket.once('connect', () => end('reached'))
    socket.once('timeout', () => end(`no answer within ${reachWithinMs / 1000} s`))
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
  })
}
