import { Readable } from 'node:stream'
import { audit as endpoints } from '@quayside/contract/audit/endpoints'
import { auditPolicies } from '@quayside/contract/audit/policies'
import { pathOf } from '@quayside/contract/http/path'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import type { Audit } from './index.ts'
import { recordCalls } from './record.ts'

const types = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' }

export function routes(http: Http, audit: Audit, log: Pick<Logger, 'error'>): void {
  recordCalls(http, audit.store, log)
  serve(http, endpoints, auditPolicies, {
    listAudit: ({ actor, query }) => audit.list(actor, query, pathOf(endpoints.listAudit)),
    async exportAudit({ actor, query, reply, mustStillBeAllowed }) {
      return reply
        .type(types[query.format])
        .header('content-disposition', `attachment; filename="audit.${query.format}"`)
        .send(Readable.from(audit.file(actor, query, mustStillBeAllowed)))
    },
  })
}
