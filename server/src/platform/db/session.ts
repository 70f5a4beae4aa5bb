import { AsyncLocalStorage } from 'node:async_hooks'
import { Writable } from 'node:stream'
import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresDialect,
  PostgresDriver,
  type PostgresPoolClient,
} from 'kysely'
import pg from 'pg'
import { createPlanNames, isOutdatedPlan, type PlanNames } from './plans.ts'

/** The tenant whose rows a transaction may see, and how far the transaction has come. */
export interface Scope {
  tenant: string
  /** It is one statement: its begin and commit travel with it, and all three cost one trip. */
  isOne: boolean
  /** Held until its end, by one transaction of all replicas at a time. */
  lock?: string | undefined
  begun?: Promise<unknown>
  committed?: Promise<{ rows: unknown[] }>
  /** It was asked to commit: from then on its loss says nothing. */
  isCommitting: boolean
  hasEnded: boolean
}

export const scopes = new AsyncLocalStorage<Scope>()

/** Kysely on a pool whose connections take the next statement before they have answered the last one. */
export function scopedDialect(pool: pg.Pool, onAnswer: () => void): Dialect {
  const planNames = createPlanNames()
  const sessions = {
    options: pool.options,
    connect: async () => new Session(await pool.connect(), planNames, onAnswer) as unknown as PostgresPoolClient,
    end: () => pool.end(),
  }
  class ScopedDialect extends PostgresDialect {
    override createDriver() {
      return new ScopedDriver({ pool: sessions })
    }
  }
  return new ScopedDialect({ pool: sessions })
}

/** A connection for as long as somebody holds it. */
class Session {
  readonly #client: pg.PoolClient
  readonly #planNames: PlanNames
  readonly #onAnswer: () => void
  #isOutdated = false

  constructor(client: pg.PoolClient, planNames: PlanNames, onAnswer: () => void) {
    this.#client = client
    this.#planNames = planNames
    this.#onAnswer = onAnswer
  }

  get processID() {
    return (this.#client as { processID?: number }).processID
  }

  query(text: string, parameters: readonly unknown[]): Promise<pg.QueryResult> {
    const mine = scopes.getStore()
    if (mine && !mine.begun) this.#holdBack()
    if (!mine?.isOne || !mine.begun) return this.#ask(text, parameters)
    if (mine.committed) throw new Error('a second statement where one was announced')
    const asked = this.#ask(text, parameters)
    mine.isCommitting = !/^\s*select\b/i.test(text)
    mine.committed = this.#ask('commit', []).then(({ command }) => ({ rows: [{ command }] }))
    mine.committed.catch(() => undefined)
    asked.catch(() => undefined)
    // If the transaction could not begin, only the error of `begun` says why.
    return mine.begun.then(() => asked)
  }

  /** Sends the statements of this turn as one packet: writing to a socket is most of the cost of a short statement. */
  #holdBack() {
    const { stream } = this.#client.connection
    if (!(stream instanceof Writable)) return
    stream.cork()
    process.nextTick(() => stream.uncork())
  }

  async #ask(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    const name = values.length > 0 ? this.#planNames(text) : undefined
    try {
      const answer = await this.#client.query({ text, values: [...values], name })
      this.#onAnswer()
      return answer
    } catch (error) {
      this.#isOutdated ||= isOutdatedPlan(error)
      throw error
    }
  }

  release(isBroken?: boolean) {
    this.#client.release(isBroken === true || this.#isOutdated)
  }
}

/** Says whose a transaction is as it begins, and waits for neither before the first statement. */
class ScopedDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const mine = scopes.getStore()
    const scoping = mine ? `; select set_config('app.tenant', ${pg.escapeLiteral(mine.tenant)}, true)` : ''
    // A lock of the statement itself would come too late: what it sees is what was there when it began.
    const locking = mine?.lock ? `; select pg_advisory_xact_lock(hashtext(${pg.escapeLiteral(mine.lock)}))` : ''
    const begun = connection.executeQuery(CompiledQuery.raw(`begin${scoping}${locking}`))
    if (!mine) return void (await begun)
    mine.begun = begun
    // A failure of it is reported by the statement that follows, which fails of the same cause.
    begun.catch(() => undefined)
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const mine = scopes.getStore()
    if (!mine) return super.commitTransaction(connection)
    await mine.begun
    mine.isCommitting ||= !mine.isOne
    if (!mine.committed) return super.commitTransaction(connection)
    const { rows } = await mine.committed
    if ((rows[0] as { command?: string })?.command === 'ROLLBACK') throw new AbortedTransactionError()
  }

  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    const mine = scopes.getStore()
    try {
      // A commit behind a statement that failed takes it back already.
      if (await mine?.committed) return
    } catch {
      // The connection is lost; the rollback learns it too, and nobody gets this connection again.
    }
    if (mine) mine.isOne = false
    await super.rollbackTransaction(connection)
  }
}
