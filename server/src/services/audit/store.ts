import type { auditOutcomes } from '@quayside/contract/audit/endpoints'
import type { ListQuery } from '@quayside/contract/http/paging'
import { type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '../../platform/db/db.ts'
import { longId } from '../../platform/db/ids.ts'
import { storedJson } from '../../platform/db/stored-json.ts'
import { Failure, fail } from '../../platform/http/errors.ts'
import { filterValues, likePattern, mustKnowFilters, mustNotSort } from '../../platform/http/listing.ts'
import { nameIn } from './about.ts'
import { callsOfCapability, callsTitled } from './calls.ts'
import { longestCallMs } from './outcome.ts'
import type { AuditRow, Tables } from './tables.ts'

type Trx = Transaction<Tables>
type Found = SelectQueryBuilder<Tables, 'audit_entry', Record<never, never>>
type Outcome = (typeof auditOutcomes)[number]
type Begun = Omit<AuditRow, 'id' | 'tenant_id' | 'at' | 'status' | 'code' | 'sent'>

const forgottenAtOnce = 1000
const longestCall = sql`make_interval(secs => ${longestCallMs / 1000})`

const ofOutcome: Record<Outcome, ReturnType<typeof sql<boolean>>> = {
  done: sql<boolean>`status < 400`,
  refused: sql<boolean>`status >= 400 and status < 500`,
  failed: sql<boolean>`status >= 500`,
  running: sql<boolean>`status is null and at >= now() - ${longestCall}`,
  unknown: sql<boolean>`status is null and at < now() - ${longestCall}`,
}

/** Reads and writes entries. `isCollected`: each is to be sent somewhere. */
export function createAuditStore(db: Db, isCollected: boolean) {
  return {
    async add(tenantId: string, entry: Begun, end: Pick<AuditRow, 'status' | 'code'>): Promise<string> {
      const at = new Date()
      const id = longId(at.getTime())
      const about = nameIn(entry.about) === null ? withKnownName(entry.about) : asStored(entry.about)
      const row = { id, at, tenant_id: tenantId, ...entry, about, ...end, sent: !isCollected }
      const write = () =>
        db.tenantOne<Tables, unknown>(tenantId, (trx) =>
          trx
            .insertInto('audit_entry')
            .values(row)
            .onConflict((conflict) => conflict.column('id').doNothing())
            .execute(),
        )
      await write().catch((error) => (isUnknown(error) ? write().catch(notCarriedOut) : notCarriedOut(error)))
      return id
    },

    /** Writes how a call ended, and what its answer tells of what it was about. */
    end: (
      tenantId: string,
      id: string,
      { status, code, about }: Pick<AuditRow, 'status' | 'code' | 'about'>,
    ): Promise<unknown> =>
      db.tenantOne<Tables, unknown>(tenantId, (trx) =>
        trx
          .updateTable('audit_entry')
          // The call itself says best what it was about.
          .set({ status, code, about: sql`${asStored(about)} || about` })
          .where('id', '=', id)
          .execute(),
      ),

    /** Entries that match, the newest first: one more than the page holds when another page follows. */
    page: (tenantId: string, query: ListQuery): Promise<AuditRow[]> =>
      db.tenant<Tables, AuditRow[]>(tenantId, async (trx) => {
        const { skip, limit } = query.page
        return matching(trx, query)
          .selectAll()
          .orderBy('id', 'desc')
          .offset(skip)
          .limit(limit + 1)
          .execute()
      }),

    /** Entries that match, from the one before `before` on. */
    after: (
      tenantId: string,
      query: Pick<ListQuery, 'search' | 'filters'>,
      before: string | undefined,
      limit: number,
    ): Promise<AuditRow[]> =>
      db.tenant<Tables, AuditRow[]>(tenantId, async (trx) => {
        const found = matching(trx, { ...query, sort: {} })
          .selectAll()
          .orderBy('id', 'desc')
          .limit(limit)
        return (before === undefined ? found : found.where('id', '<', before)).execute()
      }),
  }
}
export type AuditStore = ReturnType<typeof createAuditStore>

/** Entries of all tenants: sending them on, and letting go of old ones. */
export function createAuditOutlet(db: Db) {
  return {
    /** Entries of all tenants that no collector has yet, the oldest first, once their calls have ended. */
    unsent: (limit: number): Promise<(AuditRow & { tenant: string })[]> =>
      db.platformOne<Tables & { tenants: { id: string; identifier: string } }, (AuditRow & { tenant: string })[]>(
        (trx) =>
          trx
            .selectFrom('audit_entry')
            .innerJoin('tenants', 'tenants.id', 'audit_entry.tenant_id')
            .selectAll('audit_entry')
            .select('tenants.identifier as tenant')
            .where('sent', '=', false)
            .where(sql<boolean>`(status is not null or at < now() - ${longestCall})`)
            .orderBy('audit_entry.id')
            .limit(limit)
            .execute(),
      ),

    markSent: (ids: readonly string[]): Promise<unknown> =>
      db.platformOne<Tables, unknown>((trx) =>
        trx.updateTable('audit_entry').set({ sent: true }).where('id', 'in', ids).execute(),
      ),

    /** Removes some entries that are older; true when there may be more. */
    forgetSome: (days: number): Promise<boolean> =>
      db.platformOne<Tables, boolean>(async (trx) => {
        const old = trx
          .selectFrom('audit_entry')
          .select('id')
          .where(sql<boolean>`at < now() - make_interval(days => ${days}::int)`)
          .orderBy('at')
          .limit(forgottenAtOnce)
        const { numDeletedRows } = await trx.deleteFrom('audit_entry').where('id', 'in', old).executeTakeFirstOrThrow()
        return numDeletedRows === BigInt(forgottenAtOnce)
      }),
  }
}

const isUnknown = (error: unknown) => error instanceof Failure && error.code === 'database.outcome-unknown'

/** Throws. The call itself has not begun: nothing of it may have been made, whatever became of its entry. */
function notCarriedOut(error: unknown): never {
  throw isUnknown(error) ? fail('database.unavailable', { cause: error }) : error
}

const asStored = (about: Record<string, string>) => sql<Record<string, string>>`${storedJson(about)}::jsonb`

/** Completed by the name that the newest entry has of the thing: a deletion names it by id alone. */
const withKnownName = (about: Record<string, string>) => sql<Record<string, string>>`coalesce((
  select jsonb_strip_nulls(jsonb_build_object(
    'displayName', about -> 'displayName', 'name', about -> 'name', 'username', about -> 'username'))
  from audit_entry
  where about ->> 'id' = ${about.id ?? ''} and about ?| array['displayName', 'name', 'username'] and status < 400
  order by id desc limit 1), '{}') || ${asStored(about)}`

function matching(trx: Trx, { search, filters, sort }: Pick<ListQuery, 'search' | 'filters' | 'sort'>): Found {
  mustKnowFilters(filters, ['capability', 'outcome', 'who', 'about', 'from', 'to'])
  mustNotSort(sort)
  let found: Found = trx.selectFrom('audit_entry')
  const given = (name: string) => filterValues(filters, name)
  if (given('capability').length > 0) found = among(found, given('capability').flatMap(callsOfCapability))
  if (given('who').length > 0) found = found.where('user_id', 'in', given('who'))
  if (given('about').length > 0) found = found.where(sql<boolean>`about ->> 'id' = any(${given('about')})`)
  const outcomes = given('outcome').map(outcomeNamed)
  if (outcomes.length > 0) found = found.where((where) => where.or(outcomes.map((each) => ofOutcome[each])))
  const [from, to] = [timeOf(filters, 'from'), timeOf(filters, 'to')]
  if (from) found = found.where('at', '>=', from)
  if (to) found = found.where('at', '<=', to)
  if (!search) return found
  const pattern = likePattern(search)
  return found.where((where) =>
    where.or([
      where('username', 'ilike', pattern),
      where('token_name', 'ilike', pattern),
      where(sql<string>`about::text`, 'ilike', pattern),
      where('call', '=', sql<string>`any(${callsTitled(search.trim())})`),
    ]),
  )
}

const among = (found: Found, calls: string[]) => found.where('call', '=', sql<string>`any(${calls})`)

function outcomeNamed(name: string): Outcome {
  if (Object.hasOwn(ofOutcome, name)) return name as Outcome
  const known = Object.keys(ofOutcome).join(', ')
  throw fail('request.invalid', { field: 'filters.outcome', message: `filters.outcome: one of ${known}` })
}

function timeOf(filters: ListQuery['filters'], name: 'from' | 'to'): Date | undefined {
  const [text] = filterValues(filters, name)
  if (text === undefined) return undefined
  const time = new Date(text)
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(time.getTime())) return time
  throw fail('request.invalid', { field: `filters.${name}`, message: `filters.${name}: a time such as 2026-01-31` })
}
