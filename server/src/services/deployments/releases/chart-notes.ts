import { cleanLine } from '../../../adapters/helm/lines.ts'
import type { NewEvent } from '../ledger/event-store.ts'
import { notShown } from '../secrets/run-secrets.ts'

/** In front of every line that a chart has written: nothing that it says can pass for a line of ours. */
export const chartMark = 'chart: '
const mostLines = 200
const mostLetters = 16 * 1024

/**
 * A chart's notes as lines of the log, once it is known what must not be in them. What is more than anybody reads in a
 * log is left out, and the last line says so.
 */
export function notesLines(notes: string, hide: (text: string) => string): string[] {
  const lines = notes.split('\n').map((line) => line.trimEnd())
  while (lines.at(-1) === '') lines.pop()
  while (lines[0] === '') lines.shift()
  const shown: string[] = []
  let letters = 0
  for (const line of lines) {
    const text = hide(cleanLine(line))
    if (text === notShown) return [notShown]
    letters += text.length + 1
    if (shown.length === mostLines || letters > mostLetters) break
    shown.push(`${chartMark}${text}`)
  }
  if (shown.length === lines.length) return shown
  const left = lines.slice(shown.length)
  return [...shown, leftOut(left.length, Buffer.byteLength(left.join('\n')), "of the chart's notes")]
}

export function leftOut(lines: number, bytes: number, what: string): string {
  return `${lines} more ${lines === 1 ? 'line' : 'lines'} (${bytes} bytes) ${what} ${lines === 1 ? 'is' : 'are'} left out here`
}

export function notesEvents(notes: string, hide: (text: string) => string): NewEvent[] {
  return notesLines(notes, hide).map((message) => ({
    event: 'message',
    payload: { type: 'helm', message, level: 'info' },
  }))
}
