import { StringDecoder } from 'node:string_decoder'
import { withoutControls } from '../../platform/logging/control-characters.ts'

const maxLine = 4096

/** A line as it may be shown: no ANSI sequences, no control or direction characters, at most 4 KiB. */
export function cleanLine(line: string): string {
  const clean = withoutControls(line.slice(0, 4 * maxLine))
  return clean.length > maxLine ? `${clean.slice(0, maxLine - 1)}…` : clean
}

/** Cuts a stream of bytes into clean lines. A line without an end is cut off, not gathered for ever. */
export function createLines(onLine: (line: string) => void) {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  return {
    push(chunk: Buffer): void {
      const parts = (rest + decoder.write(chunk)).split('\n')
      rest = (parts.pop() ?? '').slice(0, 4 * maxLine)
      for (const part of parts) onLine(cleanLine(part))
    },
    end(): void {
      const last = rest + decoder.end()
      rest = ''
      if (last) onLine(cleanLine(last))
    },
  }
}

/** Keeps the newest bytes of a stream, up to a limit. */
export function createTail(limit: number) {
  const chunks: Buffer[] = []
  let held = 0
  return {
    /** False when something older had to go. */
    push(chunk: Buffer): boolean {
      chunks.push(chunk)
      held += chunk.length
      const fits = held <= limit
      while (held > limit) {
        const oldest = chunks.shift()
        if (!oldest) break
        held -= oldest.length
        if (held < limit) {
          const kept = oldest.subarray(oldest.length - (limit - held))
          chunks.unshift(kept)
          held += kept.length
          break
        }
      }
      return fits
    },
    text: () => Buffer.concat(chunks).toString('utf8'),
  }
}
