import { audit } from '@quayside/contract/audit/endpoints'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usePortal } from '../lib/portal.tsx'
import { call, stream } from './client.ts'
import { type TimedList, timedFilters, timedQuery } from './lists/timed-query.ts'

/** A page of the audit log, the newest first. */
export function useAudit(asked: TimedList) {
  const { api } = usePortal()
  return useQuery({
    queryKey: ['audit', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(api, audit.listAudit, { signal, query: timedQuery(asked) }),
  })
}

/** Every entry that matches, as the text of a file. */
export function useAuditFile() {
  const { api } = usePortal()
  return async (list: Omit<TimedList, 'skip'>, format: 'csv' | 'ndjson'): Promise<string> =>
    (await stream(api, audit.exportAudit, { query: { ...timedFilters(list), format } })).text()
}
