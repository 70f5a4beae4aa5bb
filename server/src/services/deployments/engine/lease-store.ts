import type { UpdateObject } from 'kysely'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../../../platform/db/db.ts'
import { type UnitOfWork, unitOfWork } from '../../../platform/db/unit-of-work.ts'
import { noteMoment } from '../ledger/action-moments.ts'
import { appendEvents, type NewEvent, noteOf } from '../ledger/event-store.ts'
import type { ActionRow, Tables } from '../tables.ts'

/** How long after its end a lease is still respected: by then the Helm of its holder is dead. */
const graceShare = 1 / 3

type Change = UpdateObject<Tables, 'action'>
export type Held = Pick<ActionRow, 'id' | 'tenant_id' | 'fence' | 'release_name'>
/** Tells whether the action is still wanted. */
export type Standing = Pick<ActionRow, 'cancelled_by' | 'aborted_by'>
/** With the number of the last line that is known to be written under this fence. */
type Writing = Held & Pick<ActionRow, 'last_seq'>

/**
 * Takes an action that nobody works on; undefined when somebody does, or it has ended. All times are the database's.
 */
export function claim(db: Db, actionId: string, owner: string, leaseSeconds: number): Promise<ActionRow | undefined> {
  return db.platformOne<Tables, ActionRow | undefined>((trx) =>
    trx
      .updateTable('action')
      .set({
        fence: sql<string>`fence + 1`,
        lease_owner: owner,
        lease_until: leaseEnd(leaseSeconds),
        helm_place: false,
      })
      .where('id', '=', (free) =>
        free
          .selectFrom('action')
          .select('id')
          .where('id', '=', actionId)
          .where('final_at', 'is', null)
          .where(isFree(leaseSeconds))
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .executeTakeFirst(),
  )
}

/** The tenant and the space of an action that has not ended. */
export function sharerOf(db: Db, actionId: string): Promise<Pick<ActionRow, 'tenant_id' | 'space_id'> | undefined> {
  return db.platformOne<Tables, Pick<ActionRow, 'tenant_id' | 'space_id'> | undefined>((trx) =>
    trx
      .selectFrom('action')
      .select(['tenant_id', 'space_id'])
      .where('id', '=', actionId)
      .where('final_at', 'is', null)
      .executeTakeFirst(),
  )
}

/** More than a few replicas work on at once; who stands behind them in line has a wake-up that waits as well. */
const mostToWake = 24

/** An action that has waited this long for its turn says so. */
const longInLineSeconds = 5

type Unattended = Writing & Pick<ActionRow, 'kind'> & { isLate: boolean }

/**
 * Actions that somebody should claim: their holder is gone, or their wake-up got lost. The first in line only: in a rush
 * of hundreds each round would else send hundreds of wake-ups that are there already.
 */
export function unattended(db: Db, leaseSeconds: number): Promise<Unattended[]> {
  return db.platformOne<Tables, Unattended[]>((trx) =>
    trx
      .selectFrom('action')
      .select(['id', 'tenant_id', 'kind', 'fence', 'release_name', 'last_seq'])
      .select(sql<boolean>`accepted_at < clock_timestamp() - make_interval(secs => ${longInLineSeconds})`.as('isLate'))
      .where('final_at', 'is', null)
      .where(isFree(leaseSeconds))
      .where('accepted_at', '<', sql<Date>`clock_timestamp() - make_interval(secs => ${leaseSeconds / 6})`)
      .orderBy(sql`kind = 'Prepare'`, 'desc')
      // Spaces take turns, so that one space's backlog does not fill this list.
      .orderBy(sql`row_number() over (partition by tenant_id, space_id order by accepted_at)`)
      .orderBy('accepted_at')
      .limit(mostToWake)
      .execute(),
  )
}

/** Holds on to the lease. Undefined: it was lost, or has run out before this; stop everything. */
export function renew(db: Db, held: Held, leaseSeconds: number): Promise<Standing | undefined> {
  return db.platformOne<Tables, Standing | undefined>((trx) =>
    trx
      .updateTable('action')
      .set({ lease_until: leaseEnd(leaseSeconds) })
      .where('id', '=', held.id)
      .where('fence', '=', held.fence)
      .where('final_at', 'is', null)
      .where('lease_until', '>', sql<Date>`clock_timestamp()`)
      .returning(['cancelled_by', 'aborted_by'])
      .executeTakeFirst(),
  )
}

/** Lets go before the end, so that another replica need not wait for the lease to run out. */
export function releaseLease(db: Db, held: Held): Promise<boolean> {
  return write(db, held, { lease_owner: null, lease_until: null })
}

/** Changes the action's row as long as the fence holds. */
export function write(db: Db, held: Held, change: Change): Promise<boolean> {
  return db.platformOne<Tables, boolean>((trx) => fenced(trx, held, change))
}

/** The same, with a note to those who watch. Undefined when the fence does not hold. */
export function writeAndNote(db: Db, held: Held, change: Change): Promise<Standing | undefined> {
  return db.platformOne<Tables, Standing | undefined>((trx) =>
    changing(trx, held, change)
      .returning([noteOf(held).as('noted'), 'cancelled_by', 'aborted_by'])
      .executeTakeFirst(),
  )
}

/** Counts what it has written in `held`; after an error the same events have to come again, with or without more. */
export async function append(db: Db, held: Writing, events: readonly NewEvent[]): Promise<boolean> {
  const isWritten = await db.platformOne<Tables, boolean>((trx) => appendEvents(trx, held, events))
  if (isWritten) held.last_seq += events.length
  return isWritten
}

/**
 * Counts a start of Helm before it happens and takes one of the places for it, which all replicas share. `full`: all are
 * taken; `cancelled`: there will be none; `undefined`: the fence does not hold.
 */
export async function startHelm(
  db: Db,
  held: Held,
  { baseRevision, places, leaseSeconds }: { baseRevision: number; places: number; leaseSeconds: number },
): Promise<number | 'full' | 'cancelled' | undefined> {
  const row = await db.platformOne<Tables, Pick<ActionRow, 'attempt' | 'helm_place' | 'cancelled_by'> | undefined>(
    (trx) =>
      trx
        .with('others', (as) =>
          as
            .selectFrom('action')
            .select((each) => sql<boolean>`${each.fn.countAll()} < ${places}`.as('leave_room'))
            .where('helm_place', '=', true)
            .where('final_at', 'is', null)
            .where('id', '!=', held.id)
            .where('lease_until', '>', leaseEnd(-leaseSeconds * graceShare)),
        )
        .updateTable('action')
        .from('others')
        .set({
          helm_place: sql<boolean>`leave_room and cancelled_by is null`,
          attempt: sql<number>`attempt + (leave_room and cancelled_by is null)::int`,
          base_revision: sql<number>`case when leave_room and cancelled_by is null then coalesce(base_revision, ${baseRevision}) else base_revision end`,
        })
        .where('id', '=', held.id)
        .where('fence', '=', held.fence)
        .where('final_at', 'is', null)
        .returning(['attempt', 'helm_place', 'cancelled_by'])
        .executeTakeFirst(),
    // Two replicas must not both take the last place.
    'helm places',
  )
  if (row && row.cancelled_by !== null) return 'cancelled'
  return row && (row.helm_place ? row.attempt : 'full')
}

export interface Ending {
  state: 'Success' | 'Failed'
  change: Change
  events: readonly NewEvent[]
  /** Further writes of the same transaction. */
  also(trx: UnitOfWork): Promise<void>
}

/** The one final state, its last events, its audit row and what follows from it for the app: one commit. */
export function finish(db: Db, action: ActionRow, ending: Ending): Promise<boolean> {
  return db.platform<Tables, boolean>(async (trx) => {
    if (!(await appendEvents(trx, action, ending.events))) return false
    await fenced(trx, action, {
      ...ending.change,
      state: ending.state,
      final_at: sql<Date>`clock_timestamp()`,
      lease_owner: null,
      lease_until: null,
      waiting: null,
    })
    await noteMoment(trx, action, 'final', ending.state)
    await ending.also(unitOfWork(trx))
    return true
  })
}

/** Tells whether an action was ended under this fence, by whoever holds it: nobody else can. */
export function hasEnded(db: Db, held: Held): Promise<boolean> {
  return db.platform<Tables, boolean>(async (trx) => {
    const row = await trx
      .selectFrom('action')
      .select('id')
      .where('id', '=', held.id)
      .where('fence', '=', held.fence)
      .where('final_at', 'is not', null)
      .executeTakeFirst()
    return row !== undefined
  })
}

async function fenced(trx: Transaction<Tables>, held: Held, change: Change): Promise<boolean> {
  const row = await changing(trx, held, change).returning('id').executeTakeFirst()
  return row !== undefined
}

function changing(trx: Transaction<Tables>, held: Held, change: Change) {
  return trx
    .updateTable('action')
    .set(change)
    .where('id', '=', held.id)
    .where('fence', '=', held.fence)
    .where('final_at', 'is', null)
}

function leaseEnd(leaseSeconds: number) {
  return sql<Date>`clock_timestamp() + make_interval(secs => ${leaseSeconds})`
}

function isFree(leaseSeconds: number) {
  const graceSeconds = leaseSeconds * graceShare
  return sql<boolean>`(lease_until is null or lease_until < clock_timestamp() - make_interval(secs => ${graceSeconds}))`
}
