import { sql } from 'kysely'
import type { Db } from '../../../../platform/db/db.ts'
import { isClearing } from '../../engine/steps/steps.ts'
import type { ActionRow, Tables } from '../../tables.ts'

/** Where whoever works on an action hears that it is cancelled: its id. */
export const cancelChannel = 'quayside_cancelled'

/** Steps after Helm, when it is too late to cancel: reading back, and removing access in a deletion. */
const doneWith = sql<boolean>`(state = 'verifying' or (kind = 'Delete' and state = 'iam'))`

/**
 * Says that nobody wants an action any more, as long as no Helm was started for it; the row decides between this and the
 * start. Whoever works on it, or takes it over, ends it. False: it is too late.
 */
export function markCancelled(db: Db, id: string, who: string): Promise<boolean> {
  return db.platformOne<Tables, boolean>(async (trx) => {
    const row = await trx
      .updateTable('action')
      .set({ cancelled_by: sql<string>`coalesce(cancelled_by, ${who})` })
      .where('id', '=', id)
      .where('final_at', 'is', null)
      .where('attempt', '=', 0)
      .where('kind', 'in', ['Deploy', 'Upgrade', 'Rollback', 'Delete'])
      .where(sql<boolean>`not ${doneWith}`)
      .returning(sql<string>`pg_notify(${cancelChannel}, ${id})`.as('told'))
      .executeTakeFirst()
    return row !== undefined
  })
}

/** The same, of a row that was read. */
export function mayBeCancelled({ kind, state, attempt, final_at, fence }: ActionRow): boolean {
  if (final_at !== null || isClearing(kind)) return false
  if (fence === '0') return true
  if (kind === 'Prepare' || kind === 'Repair' || kind === 'ChangeWorkload' || attempt > 0) return false
  return state !== 'verifying' && !(kind === 'Delete' && state === 'iam')
}

/** Where whoever works on an action hears that its Helm is to be ended: its id, a space, and who wants that. */
export const abortChannel = 'quayside_aborted'

/** Kinds whose Helm can be ended, and the part of a deletion after its Helm, which cannot. */
const isAbortable = sql<boolean>`(kind in ('Deploy', 'Upgrade', 'Rollback', 'Delete')
  and attempt > 0 and not (kind = 'Delete' and state in ('verifying', 'iam')))`

/**
 * Says that the Helm of an action is to be ended. Whoever works on it, or takes it over, ends it and tells what is left.
 * False: there is no Helm to end.
 */
export function markAborted(db: Db, id: string, who: string): Promise<boolean> {
  return db.platformOne<Tables, boolean>(async (trx) => {
    const row = await trx
      .updateTable('action')
      .set({ aborted_by: sql<string>`coalesce(aborted_by, ${who})` })
      .where('id', '=', id)
      .where('final_at', 'is', null)
      .where(isAbortable)
      .returning(sql<string>`pg_notify(${abortChannel}, id || ' ' || aborted_by)`.as('told'))
      .executeTakeFirst()
    return row !== undefined
  })
}

/** The same, of a row that was read. */
export function mayBeAborted({ kind, state, attempt, final_at, aborted_by }: ActionRow): boolean {
  if (final_at !== null || attempt === 0 || aborted_by !== null) return false
  if (kind === 'Delete') return state !== 'verifying' && state !== 'iam'
  return kind === 'Deploy' || kind === 'Upgrade' || kind === 'Rollback'
}
