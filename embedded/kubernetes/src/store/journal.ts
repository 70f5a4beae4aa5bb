import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, renameSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { GroupResource, KubeObject } from '../object-store.ts'

/** One line of the journal: an object written, an object removed, or where the version counter stands. */
export type JournalEntry =
  | { put: GroupResource; object: KubeObject }
  | { drop: GroupResource; namespace: string; name: string; version: number }
  | { version: number }

export interface Journal {
  /** Every whole entry, in order of writing. A torn last line, as a kill leaves it, is dropped. */
  replay(apply: (entry: JournalEntry) => void): void
  append(entry: JournalEntry): void
  /** Tells whether so much was appended since the last compaction that rewriting pays. */
  readonly wantsCompaction: boolean
  compact(entries: Iterable<JournalEntry>): void
  close(): void
}

const READ_SIZE = 1 << 20
const COMPACT_AFTER = 32 << 20

function writeAll(fd: number, line: string): number {
  const bytes = Buffer.from(line)
  let done = 0
  while (done < bytes.length) done += writeSync(fd, bytes, done)
  return bytes.length
}

/** Calls back for each line that ends with a newline; returns how many bytes those lines take. */
function eachLine(fd: number, use: (line: string) => void): number {
  const chunk = Buffer.allocUnsafe(READ_SIZE)
  let rest: Buffer = Buffer.alloc(0)
  let whole = 0
  for (let read = readSync(fd, chunk, 0, READ_SIZE, whole); read > 0; ) {
    const data = Buffer.concat([rest, chunk.subarray(0, read)])
    let start = 0
    for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, start)) {
      use(data.toString('utf8', start, end))
      start = end + 1
    }
    whole += start
    rest = Buffer.from(data.subarray(start))
    read = readSync(fd, chunk, 0, READ_SIZE, whole + rest.length)
  }
  return whole
}

/** An append-only file of JSON lines in `folder`; what was appended survives the death of the process. */
export function openJournal(folder: string): Journal {
  const path = join(folder, 'objects.jsonl')
  let fd = openSync(path, 'a+', 0o600)
  let baseSize = statSync(path).size
  let size = baseSize

  return {
    replay(apply) {
      const whole = eachLine(fd, (line) => {
        if (line) apply(JSON.parse(line) as JournalEntry)
      })
      if (whole < size) ftruncateSync(fd, whole)
      size = whole
    },
    append(entry) {
      try {
        size += writeAll(fd, `${JSON.stringify(entry)}\n`)
      } catch (error) {
        // A half-written line (disk full) must not swallow the next one.
        ftruncateSync(fd, size)
        throw error
      }
    },
    get wantsCompaction() {
      return size > COMPACT_AFTER && size > 4 * baseSize
    },
    compact(entries) {
      const fresh = `${path}.new`
      const out = openSync(fresh, 'w', 0o600)
      let written = 0
      let batch = ''
      for (const entry of entries) {
        batch += `${JSON.stringify(entry)}\n`
        if (batch.length > READ_SIZE) {
          written += writeAll(out, batch)
          batch = ''
        }
      }
      written += writeAll(out, batch)
      fsyncSync(out)
      closeSync(out)
      renameSync(fresh, path)
      closeSync(fd)
      fd = openSync(path, 'a+', 0o600)
      baseSize = written
      size = written
    },
    close() {
      closeSync(fd)
    },
  }
}
