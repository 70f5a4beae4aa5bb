import { sql, type Transaction } from 'kysely'
import type { SpaceCondition } from '../../platform/auth/rights.ts'
import type { Db } from '../../platform/db/db.ts'
import type { Tables } from './tables.ts'

type Trx = Transaction<Tables>

/** A beginning or an end of an outage that lasted long enough to be told. */
export interface OutageNotice {
  id: string
  kind: 'app-unhealthy' | 'app-healthy'
  at: Date
  app: { id: string; name: string }
  space: { id: string; name: string }
  says: string | null
}

interface Place {
  tenantId: string
  spaceId: string
}

/**
 * Outages of apps, from what the portal knows of their states. People are told of one that has lasted for `settleSeconds`,
 * and of its end when the app has been healthy for as long, so that an app that restarts or wavers tells nobody.
 */
export function createOutages(db: Db, settleSeconds: number) {
  const settled = sql`make_interval(secs => ${settleSeconds}::int)`
  const long = sql<boolean>`coalesce(o.until, now()) - o.since >= ${settled}`
  const over = sql<boolean>`o.until <= now() - ${settled}`

  return {
    /** Half the settling time, so that ends are noticed in time. */
    sweepEveryMs: Math.min(5000, settleSeconds * 500),

    /** Brings outages of all tenants up to date. Returns the spaces in which something can be told by now. */
    sweep: (days: number): Promise<Place[]> =>
      db.platform<Tables, Place[]>(async (trx) => {
        await begin(trx, settled)
        await sql`update app_outage o set until = now() from apps a
          where a.id = o.app_id and o.until is null and a.state = 'healthy'`.execute(trx)
        await sql`delete from app_outage o where (${over} and not (${long}))
          or o.until < now() - make_interval(days => ${days}::int)`.execute(trx)
        const told = await sql<Place>`update app_outage o
          set told_since = true, told_until = o.until is not null and ${over} from apps a
          where a.id = o.app_id and ${long} and (not o.told_since or (${over} and not o.told_until))
          returning o.tenant_id as "tenantId", a.space_id as "spaceId"`.execute(trx)
        return told.rows
      }),

    /** Those that last and the newest that can be told, in the spaces of `within`; undefined: in all. */
    async list(
      tenantId: string,
      within: SpaceCondition | undefined,
      { days, limit }: { days: number; limit: number },
    ): Promise<OutageNotice[]> {
      const rows = await db.tenantOne<Tables, OutageRow[]>(tenantId, async (trx) => {
        const found = await sql<OutageRow>`select o.id, o.since, o.until, o.says, ${over} as over, a.id as app_id,
            a.display_name as app_name, s.id as space_id, s.display_name as space_name
          from app_outage o join apps a on a.id = o.app_id join spaces s on s.id = a.space_id
          where ${long} and coalesce(o.until, now()) > now() - make_interval(days => ${days}::int)
          and ${within ? within('a.space_id') : sql`true`} order by coalesce(o.until, now()) desc, o.since desc limit ${limit}`.execute(
          trx,
        )
        return found.rows
      })
      return rows.flatMap((row) => toNotices(row, settleSeconds * 1000))
    },
  }
}
export type Outages = ReturnType<typeof createOutages>

/** Begins outages. Of an app that is unhealthy again before its health was told, its outage is reopened. */
async function begin(trx: Trx, settled: ReturnType<typeof sql>): Promise<void> {
  await sql`update app_outage o set until = null from apps a
    where a.id = o.app_id and a.state in ('degraded', 'failed') and o.until > now() - ${settled}
    and not exists (select from app_outage other where other.app_id = o.app_id and other.until is null)`.execute(trx)
  await sql`insert into app_outage (tenant_id, app_id, says) select a.tenant_id, a.id, a.state_message from apps a
    where a.state in ('degraded', 'failed')
    and not exists (select from app_outage o where o.app_id = a.id and o.until is null)`.execute(trx)
}

interface OutageRow {
  id: string
  since: Date
  until: Date | null
  says: string | null
  over: boolean | null
  app_id: string
  app_name: string
  space_id: string
  space_name: string
}

function toNotices({ id, since, until, over, says, ...row }: OutageRow, settleMs: number): OutageNotice[] {
  const app = { id: row.app_id, name: row.app_name }
  const space = { id: row.space_id, name: row.space_name }
  const after = (time: Date) => new Date(time.getTime() + settleMs)
  const begun: OutageNotice = { id: `${id}-down`, kind: 'app-unhealthy', at: after(since), app, space, says }
  if (until === null || over !== true) return [begun]
  return [{ id: `${id}-up`, kind: 'app-healthy', at: after(until), app, space, says: null }, begun]
}
