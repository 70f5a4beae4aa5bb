import { Kysely, type Transaction } from 'kysely'
import pg from 'pg'
import { createFairPlaces, type FairPlaces } from '../concurrency/fair-places.ts'
import { Failure, fail } from '../http/errors.ts'
import type { Logger } from '../logging/logger.ts'
import { isOutdatedPlan } from './plans.ts'
import { type Scope, scopedDialect, scopes } from './session.ts'

/** Transactions that see one tenant, or, for the platform's own work, all of them. Row-level security enforces it. */
export interface Db {
  tenant<T, R>(tenantId: string, run: (trx: Transaction<T>) => Promise<R>): Promise<R>
  platform<T, R>(run: (trx: Transaction<T>) => Promise<R>): Promise<R>
  /** The same for one statement, in one trip to the database instead of three. */
  tenantOne<T, R>(tenantId: string, run: (trx: Transaction<T>) => Promise<R>): Promise<R>
  /** Under `lock` when one is named: of all replicas, one at a time. */
  platformOne<T, R>(run: (trx: Transaction<T>) => Promise<R>, lock?: string): Promise<R>
  /**
   * Calls back on NOTIFY of the channel, also after the connection was lost and found again. What was noted in between
   * nobody has heard: `onGap` is told.
   */
  listen(channel: string, onNote: (payload: string) => void, onGap?: () => void): Promise<() => Promise<void>>
  ping(): Promise<void>
  /** A connection by itself; fails as transactions do. */
  connect(): Promise<pg.PoolClient>
  /** The places that calls share: a transaction of a call waits for one, in turn with those of others. */
  readonly places: FairPlaces
  readonly pool: pg.Pool
  readonly kysely: Kysely<unknown>
  close(): Promise<void>
}

const everyTenant = '*'
/** Longest wait for a connection. A database that has answered somebody within that time is there, and busy. */
const connectMs = 2000
const betweenReportsMs = 10_000

export function openDb(databaseUrl: string, log: Logger): Db {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 16,
    pipeline: true,
    connectionTimeoutMillis: connectMs,
    statement_timeout: 10_000,
    idle_in_transaction_session_timeout: 30_000,
  })
  // Without a listener a lost connection ends the process.
  pool.on('error', (error) => log.warn({ err: error }, 'database connection lost'))
  // The pool listens to idle connections only; one that is lost between two statements of a transaction counts too.
  pool.on('connect', (client) => client.on('error', () => undefined))
  let answeredAt = Number.NEGATIVE_INFINITY
  const kysely = new Kysely<unknown>({
    dialect: scopedDialect(pool, () => {
      answeredAt = performance.now()
    }),
  })
  const isAnswering = () => performance.now() - answeredAt < connectMs
  const places = createFairPlaces(createRefusalReport(log))

  async function scoped<T, R>(
    { tenant, isOne, lock }: Pick<Scope, 'tenant' | 'isOne' | 'lock'>,
    run: (trx: Transaction<T>) => Promise<R>,
  ): Promise<R> {
    const mine: Scope = { tenant, isOne, lock, isCommitting: false, hasEnded: false }
    const isInside = scopes.getStore()?.hasEnded === false
    // Callers that each hold a connection and wait for a second one wait for each other for ever.
    if (isInside)
      log.error({ err: new Error('a transaction inside of another one') }, 'two connections are held at once')
    const transact = () => scopes.run(mine, () => (kysely as Kysely<T>).transaction().execute(run))
    try {
      return await (isInside ? transact() : places.run(transact))
    } catch (error) {
      // Refused before it did anything, and its connection is given up: another one plans it anew.
      if (isOne && isOutdatedPlan(error)) return await scopes.exit(() => scoped({ tenant, isOne, lock }, run))
      throw toFailure(error, { isCommitting: mine.isCommitting, isAnswering: isAnswering() })
    } finally {
      mine.hasEnded = true
    }
  }

  return {
    pool,
    kysely,
    places,
    connect: () =>
      pool.connect().catch((error: unknown) => {
        throw toFailure(error, { isCommitting: false, isAnswering: isAnswering() })
      }),
    tenant: (tenantId, run) => scoped({ tenant: tenantId, isOne: false }, run),
    tenantOne: (tenantId, run) => scoped({ tenant: tenantId, isOne: true }, run),
    platform: (run) => scoped({ tenant: everyTenant, isOne: false }, run),
    platformOne: (run, lock) => scoped({ tenant: everyTenant, isOne: true, lock }, run),
    listen: (channel, onNote, onGap = () => undefined) => keepListening(databaseUrl, channel, { onNote, onGap }, log),
    async ping() {
      // A database that has no time for this question and answers others is there.
      await pool.query('select 1').catch((error: unknown) => {
        if (!isAnswering()) throw error
      })
    },
    close: () => kysely.destroy(),
  }
}

async function keepListening(
  databaseUrl: string,
  channel: string,
  { onNote, onGap }: { onNote: (payload: string) => void; onGap: () => void },
  log: Logger,
) {
  let closed = false
  let client: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined
  const again = () => {
    if (closed) return
    retry = setTimeout(() => connect().then(onGap, again), 500)
  }
  async function connect() {
    const next = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2000, keepAlive: true })
    next.on('error', (error) => {
      log.warn({ err: error, channel }, 'listening connection lost')
      client = undefined
      again()
    })
    next.on('notification', (note) => onNote(note.payload ?? ''))
    await next.connect()
    await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    client = next
  }
  await connect()
  return async () => {
    closed = true
    clearTimeout(retry)
    await client?.end().catch(() => undefined)
  }
}

function toFailure(
  error: unknown,
  { isCommitting, isAnswering }: { isCommitting: boolean; isAnswering: boolean },
): unknown {
  // No place or connection was free in time: the portal is overloaded, or the database is unreachable.
  const isBusy = error instanceof Failure ? error.code === 'portal.busy' : isWaitOver(error)
  if (isBusy) return fail(isAnswering ? 'portal.busy' : 'database.unavailable', { cause: error })
  if (isOutdatedPlan(error)) return fail('database.unavailable', { cause: error })
  if (isConnectionLoss(error))
    return fail(isCommitting ? 'database.outcome-unknown' : 'database.unavailable', { cause: error })
  return isOutOfDisk(error) ? fail('database.full', { cause: error }) : error
}

function isWaitOver(error: unknown): boolean {
  return (
    error instanceof Error && /timeout exceeded when trying to connect|due to connection timeout/.test(error.message)
  )
}

/** Says every ten seconds at most how many calls were refused. */
function createRefusalReport(log: Logger): () => void {
  let refused = 0
  const report = () => {
    log.warn({ refused }, 'calls were refused because too many were waiting')
    refused = 0
  }
  return () => {
    if (refused === 0) setTimeout(report, betweenReportsMs).unref()
    refused += 1
  }
}

function isOutOfDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53100'
}

const lossCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08003',
  '08001',
  // It was away for so long, frozen or overloaded, that it gave the statement or the transaction up.
  '57014',
  '25P03',
  '53300',
  'EAGAIN',
])

function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return lossCodes.has(code) || /Connection terminated|has encountered a connection error/.test(error.message)
}
