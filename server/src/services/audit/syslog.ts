import { hostname } from 'node:os'
import type { CollectedEntry } from './collector.ts'

/** Facility 13, log audit, as RFC 5424 numbers them. */
const facility = 13
const severities = { done: 6, running: 6, unknown: 4, refused: 4, failed: 3 } as const

/** An entry as a syslog message (RFC 5424) in a frame that says its length (RFC 6587); the message is the entry as JSON. */
export function syslogFrame(entry: CollectedEntry): string {
  const { at, outcome, capability } = entry
  const priority = facility * 8 + severities[outcome]
  const message = `<${priority}>1 ${at} ${hostname()} quayside - ${capability} - ${JSON.stringify(entry)}`
  return `${Buffer.byteLength(message)} ${message}`
}
