import type { Readable } from 'node:stream'

export interface StampedLine {
  /** To the nanosecond and in UTC, so that two of them compare as texts; null where the line has none. */
  at: string | null
  text: string
}

const stamp = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) ?/
const longestLine = 16 * 1024

/** A line as the cluster sends it with `timestamps`. */
function stampedLine(raw: string): StampedLine {
  const [all, second, fraction = '', zone] = stamp.exec(raw) ?? []
  const at = Date.parse(`${second}${zone}`)
  if (all === undefined || Number.isNaN(at)) return { at: null, text: raw }
  return { at: `${new Date(at).toISOString().slice(0, 19)}.${fraction.padEnd(9, '0')}Z`, text: raw.slice(all.length) }
}

/** The lines of a log as they come; what is too long of one is cut off, and memory does not grow with it. */
export async function* linesOf(log: Readable): AsyncGenerator<StampedLine> {
  let rest = ''
  let isCut = false
  for await (const chunk of log.setEncoding('utf8')) {
    const pieces = `${rest}${chunk}`.split('\n')
    rest = pieces.pop() ?? ''
    for (const piece of pieces) {
      if (!isCut) yield stampedLine(shortened(piece))
      isCut = false
    }
    if (rest.length <= longestLine) continue
    if (!isCut) yield stampedLine(shortened(rest))
    isCut = true
    rest = ''
  }
  if (rest !== '' && !isCut) yield stampedLine(shortened(rest))
}

const shortened = (line: string) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line)
