import type { AuditEntry } from '@quayside/contract/audit/endpoints'

/** An answer that has not come by then will not come: the longest upload takes less. */
export const longestCallMs = 15 * 60_000

/** How a call ended, by the status of its answer and its age. */
export function outcomeOf(status: number | null, ageMs: number): AuditEntry['outcome'] {
  if (status === null) return ageMs > longestCallMs ? 'unknown' : 'running'
  if (status < 400) return 'done'
  return status < 500 ? 'refused' : 'failed'
}
