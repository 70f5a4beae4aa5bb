import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { ListQuery, listOf } from '../http/paging.ts'

const endpoint = endpointsOf('portal-api')

/**
 * How a call ended: `refused` by a rule and nothing was changed, `failed` by an error, `running` when it has not been
 * answered yet, `unknown` when the portal ended before it could write the answer down.
 */
export const auditOutcomes = ['done', 'refused', 'failed', 'running', 'unknown'] as const

/** One call that changes something, or was to. */
export const AuditEntry = z.object({
  id: z.string(),
  at: z.string(),
  who: z.object({ id: z.string(), username: z.string() }),
  /** The client of the identity server by which the call came: the portal's own pages, or a script. */
  client: z.string(),
  /** The personal token by which the call came; null where none was used. */
  token: z.object({ id: z.string(), name: z.string() }).nullable(),
  ipAddress: z.string(),
  capability: z.string(),
  /** `DELETE /portal-api/v3/spaces/:id` */
  call: z.string(),
  title: z.string(),
  /** The name of the thing that the call is about; null where neither the call nor an earlier one has it. */
  name: z.string().nullable(),
  /** Ids, names and settings that the call named; never a secret. */
  about: z.record(z.string(), z.string()),
  outcome: z.enum(auditOutcomes),
  /** The HTTP status of the answer; null until there is one. */
  status: z.number().nullable(),
  /** The code of a refusal or an error. */
  code: z.string().nullable(),
  requestId: z.string(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const filters =
  'filters: capability, outcome, who (user id), about (id of a thing), from, to; search: names, ids, people'

export const audit = {
  listAudit: endpoint('GET', '/v1/audit', {
    summary: `Who changed what, the newest first, paged; the total counts what follows as one; ${filters}`,
    query: ListQuery,
    reply: listOf(AuditEntry),
  }),
  exportAudit: endpoint('GET', '/v1/audit/export', {
    summary: `The same list whole, as a file: CSV, or NDJSON with one entry a line; ${filters}`,
    query: ListQuery.extend({ format: z.enum(['csv', 'ndjson']).default('ndjson') }),
    streams: true,
  }),
}
