import type { AuditEntry, audit as endpoints } from '@quayside/contract/audit/endpoints'
import { type CsvColumn, csvHead, csvLine } from '@quayside/contract/http/csv'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import type { z } from 'zod'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/db.ts'
import { unlessUnderWay } from '../../platform/db/exclusive.ts'
import { listReply } from '../../platform/http/listing.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { nameIn } from './about.ts'
import { capabilityOfCall, titleOfCall } from './calls.ts'
import { type Collector, collectorAt } from './collector.ts'
import { outcomeOf } from './outcome.ts'
import { createAuditOutlet, createAuditStore } from './store.ts'
import type { AuditRow } from './tables.ts'

type ExportQuery = z.output<(typeof endpoints)['exportAudit']['query']>

const exportedAtOnce = 1000
const sentAtOnce = 500
const sendEveryMs = 5_000
const forgetEveryMs = 60 * 60_000

interface AuditDeps {
  db: Db
  jobs: Pick<Jobs, 'every'>
  config: Pick<Config, 'audit'>
}

/** The audit log of tenants: every call that changes something, written down before it is carried out. */
export function createAudit({ db, jobs, config: { audit: settings } }: AuditDeps) {
  const collector = settings.collector && collectorAt(settings.collector)
  const store = createAuditStore(db, collector !== undefined)
  const outlet = createAuditOutlet(db)

  async function* whole(tenantId: string, query: ExportQuery, mustStillBeAllowed: () => Promise<unknown>) {
    let before: string | undefined
    for (;;) {
      await mustStillBeAllowed()
      const rows = await store.after(tenantId, query, before, exportedAtOnce)
      yield* rows.map((row) => toEntry(row, Date.now()))
      before = rows.at(-1)?.id
      if (rows.length < exportedAtOnce) return
    }
  }

  return {
    store,

    async list({ tenantId }: Actor, query: ListQuery, path: string): Promise<ListReply<AuditEntry>> {
      const rows = await store.page(tenantId, query)
      const { skip, limit } = query.page
      return listReply(
        rows.slice(0, limit).map((row) => toEntry(row, Date.now())),
        skip + rows.length,
        query,
        path,
      )
    },

    /** The lines of a file with every entry that matches. */
    async *file({ tenantId }: Actor, query: ExportQuery, mustStillBeAllowed: () => Promise<unknown>) {
      if (query.format === 'csv') yield csvHead(columns)
      for await (const entry of whole(tenantId, query, mustStillBeAllowed))
        yield query.format === 'csv' ? csvLine(columns, entry) : `${JSON.stringify(entry)}\n`
    },

    /** Starts sending entries to the collector, if there is one, and removing old ones. */
    start() {
      if (collector) jobs.every(sendEveryMs, () => unlessUnderWay(db.pool, 'audit collector', () => send(collector)))
      jobs.every(forgetEveryMs, async () => {
        while (await outlet.forgetSome(settings.days)) await new Promise(setImmediate)
      })
    },
  }

  /** Sends what is not sent yet, in order. What the collector did not take for certain is sent again. */
  async function send(to: Collector): Promise<void> {
    for (;;) {
      const rows = await outlet.unsent(sentAtOnce)
      if (rows.length === 0) return
      const now = Date.now()
      await to(rows.map((row) => ({ tenant: row.tenant, ...toEntry(row, now) })))
      await outlet.markSent(rows.map(({ id }) => id))
    }
  }
}
export type Audit = ReturnType<typeof createAudit>

function toEntry(row: AuditRow, now: number): AuditEntry {
  return {
    ...{ id: row.id, at: row.at.toISOString(), who: { id: row.user_id, username: row.username } },
    token: row.token_id === null ? null : { id: row.token_id, name: row.token_name ?? '' },
    ...{ client: row.client, ipAddress: row.ip_address, capability: capabilityOfCall(row.call), call: row.call },
    ...{
      title: titleOfCall(row.call),
      name: nameIn(row.about),
      about: row.about,
      outcome: outcomeOf(row.status, now - row.at.getTime()),
    },
    ...{ status: row.status, code: row.code, requestId: row.request_id },
  }
}

const columns: readonly CsvColumn<AuditEntry>[] = [
  { title: 'When', text: ({ at }) => at },
  { title: 'Who', text: ({ who }) => who.username },
  { title: 'User id', text: ({ who }) => who.id },
  { title: 'Client', text: ({ client }) => client },
  { title: 'Token', text: ({ token }) => token?.name ?? null },
  { title: 'From', text: ({ ipAddress }) => ipAddress },
  { title: 'What', text: ({ title }) => title },
  { title: 'Name', text: ({ name }) => name },
  { title: 'Outcome', text: ({ outcome }) => outcome },
  { title: 'Status', text: ({ status }) => status },
  { title: 'Code', text: ({ code }) => code },
  { title: 'Call', text: ({ call }) => call },
  { title: 'About', text: ({ about }) => JSON.stringify(about) },
  { title: 'Request id', text: ({ requestId }) => requestId },
]
