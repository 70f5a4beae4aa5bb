import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { createEncryption, type Encryption } from './encryption.ts'

/** The few words of SQL access that the identity server needs; a transaction speaks the same words. */
export interface Db {
  /** For what must not be read from a dump of the database. */
  encryption: Encryption
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

function reader(source: Queryable): Omit<Db, 'transaction' | 'encryption'> {
  const rows = async <T>(text: string, values: readonly unknown[] = []) =>
    (await source.query(named(text, values))).rows as T[]
  return {
    rows,
    row: async <T>(text: string, values: readonly unknown[] = []) => (await rows<T>(text, values))[0],
    run: async (text, values = []) => (await source.query(named(text, values))).rowCount ?? 0,
  }
}

const lostCodes: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'EAGAIN'],
  ...['57P01', '57P02', '57P03', '08001', '08003', '08006', '53300'],
])

/** The connection was lost, or none was to be had: what was asked says nothing about that. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && lostCodes.has(error.code)) return true
  return /Connection terminated|timeout exceeded when trying to connect|connection error/.test(error.message)
}

/** A text was sent that PostgreSQL cannot keep: one with a NUL, which JSON and forms can hold. */
export function hasUnfitText(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '22021' || error.code === '22P05')
}

const triesToRead = 3
const againMs = 100

function isRead(text: string): boolean {
  return /^\s*(?:select|with)\b/i.test(text) && !/\b(?:insert|update|delete)\b/i.test(text)
}

/** A question that changes nothing is asked again on another connection when its own was lost. */
function persistent(pool: Queryable): Queryable {
  return {
    async query(asked) {
      const text = typeof asked === 'string' ? asked : asked.text
      for (let tries = 1; ; tries += 1) {
        try {
          return await pool.query(asked)
        } catch (error) {
          if (tries === triesToRead || !isRead(text) || !isConnectionLoss(error)) throw error
          await delay(againMs * tries)
        }
      }
    },
  }
}

/** Opens a pool on the given database. */
export function openDatabase(url: string, maxConnections: number, secretKey: string, otherKey?: string): Database {
  const encryption = createEncryption(secretKey, otherKey)
  const pool = new pg.Pool({ connectionString: url, max: maxConnections, application_name: 'quayside-identity' })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', (error) => {
    if (!pool.ending) process.emitWarning(`identity database connection lost: ${error.message}`)
  })
  // The pool listens to idle connections only; one that breaks between two statements of a transaction must not end us.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return {
    encryption,
    ...reader(persistent(pool)),
    async transaction(work) {
      const client = await pool.connect()
      try {
        await client.query('begin')
        const nested: Db = { encryption, ...reader(client), transaction: (inner) => inner(nested) }
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
