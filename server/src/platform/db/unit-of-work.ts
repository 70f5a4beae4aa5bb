import type { Transaction } from 'kysely'

/** A transaction that several services write in, each to its own tables. */
export type UnitOfWork = Transaction<unknown>

/** The unit of work as one service sees it: its own tables. Kysely's types know tables, PostgreSQL's transactions do not. */
export function tablesIn<Tables>(work: UnitOfWork): Transaction<Tables> {
  return work as unknown as Transaction<Tables>
}

/** A service's own transaction, handed to others for what belongs to the same write. */
export function unitOfWork<Tables>(trx: Transaction<Tables>): UnitOfWork {
  return trx as unknown as UnitOfWork
}
