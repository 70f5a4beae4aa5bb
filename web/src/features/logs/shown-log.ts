import type { LogEntry } from '@quayside/contract/clusters/log-entry'
import { type Level, levelOf } from './level-of.ts'

export interface ShownLine {
  /** Counts up from the beginning of the reading. */
  id: number
  at: string | null
  pod: string
  container: string
  text: string
  level: Level
  /** A word of the portal's about the container, and no line of its own. */
  isNote: boolean
}

export interface ShownLog {
  lines: readonly ShownLine[]
  /** Lines of this reading in all; the oldest are not shown any more. */
  count: number
  isCaughtUp: boolean
  leftOut: number
  /** Apps that are read of a space that has more; undefined: all are. */
  mostApps?: number | undefined
}

export const emptyLog: ShownLog = { lines: [], count: 0, isCaughtUp: false, leftOut: 0 }

/** More lines than this are not kept in the page: the newest stay. */
const mostShown = 5000

/** The log with these entries added. */
export function withEntries(log: ShownLog, entries: readonly LogEntry[]): ShownLog {
  let { count, isCaughtUp, leftOut, mostApps } = log
  const added: ShownLine[] = []
  for (const entry of entries) {
    if ('note' in entry && entry.note === 'caught-up') isCaughtUp = true
    else if ('note' in entry && entry.note === 'left-out') leftOut = entry.count
    else if ('note' in entry && entry.note === 'apps-left-out') mostApps = entry.most
    else added.push({ id: count++, ...lineOf(entry) })
  }
  return { lines: [...log.lines, ...added].slice(-mostShown), count, isCaughtUp, leftOut, mostApps }
}

type ShownEntry = Exclude<LogEntry, { note: 'caught-up' | 'left-out' | 'apps-left-out' }>

function lineOf(entry: ShownEntry): Omit<ShownLine, 'id'> {
  if ('app' in entry)
    return { at: null, pod: '', container: '', text: `${entry.app}: ${entry.message}`, level: 'error', isNote: true }
  const { pod, container } = entry
  if ('line' in entry)
    return { at: entry.at, pod, container, text: entry.line, level: levelOf(entry.line), isNote: false }
  const isRestart = entry.note === 'restarted'
  const text = isRestart ? 'The container was restarted.' : entry.message
  return { at: null, pod, container, text, level: isRestart ? 'warning' : 'error', isNote: true }
}

/** A log as a text file, a line each. */
export function asText(lines: readonly ShownLine[]): string {
  return lines.map(({ at, pod, container, text }) => `${at ?? '-'} ${pod}/${container} ${text}\n`).join('')
}
