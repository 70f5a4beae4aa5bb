import pg from 'pg'

/** The few words of SQL access that the identity server needs; a transaction speaks the same words. */
export interface Db {
  rows<T>(text: string, values?: readonly unknown[]): Promise<T[]>
  row<T>(text: string, values?: readonly unknown[]): Promise<T | undefined>
  /** Runs a statement for its effect and tells how many rows it touched. */
  run(text: string, values?: readonly unknown[]): Promise<number>
  transaction<T>(work: (db: Db) => Promise<T>): Promise<T>
}

export interface Database extends Db {
  close(): Promise<void>
}

interface Queryable {
  query(asked: string | pg.QueryConfig): Promise<{ rows: unknown[]; rowCount: number | null }>
}

/** Names of the texts whose plans the database keeps; all are written in this program, few of them are built. */
const names = new Map<string, string>()
const mostNames = 300

function named(text: string, values: readonly unknown[]): pg.QueryConfig {
  if (!names.has(text) && names.size < mostNames) names.set(text, `kept_${names.size}`)
  return { text, values: [...values], name: values.length > 0 ? names.get(text) : undefined }
}

function reader(source: Queryable): Omit<Db, 'transaction'> {
  const rows = async <T>(text: string, values: readonly unknown[] = []) =>
    (await source.query(named(text, values))).rows as T[]
  return {
    rows,
    row: async <T>(text: string, values: readonly unknown[] = []) => (await rows<T>(text, values))[0],
    run: async (text, values = []) => (await source.query(named(text, values))).rowCount ?? 0,
  }
}

/** Opens a pool on the given database. */
export function openDatabase(url: string, maxConnections: number): Database {
  const pool = new pg.Pool({ connectionString: url, max: maxConnections, application_name: 'quayside-identity' })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => {
    if (!pool.ending) process.emitWarning(`identity database connection lost: ${error.message}`)
  })
  // The pool listens to idle connections only; one that breaks between two statements of a transaction must not end us.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return {
    ...reader(pool),
    async transaction(work) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const nested: Db = { ...reader(client), transaction: (inner) => inner(nested) }
        const result = await work(nested)
        await client.query('commit')
        client.release()
        return result
      } catch (error) {
        await client.query('rollback').then(
          () => client.release(),
          (broken: Error) => client.release(broken),
        )
        throw error
      }
    },
    close: () => pool.end(),
  }
}

/** True when the error is PostgreSQL's answer to a broken unique rule. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
