import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import type { Samples, Source } from '../evaluation/value.ts'
import type { Labels, Matcher } from '../promql/expression.ts'
import { keyOf, labelsOf, NAME } from '../promql/labels.ts'
import { matcherOf } from '../promql/matching.ts'
import { packChunk, SAMPLES_OF_A_CHUNK, unpackChunk } from './chunk.ts'

interface Entry {
  id: number
  labels: Labels
  first: number
  last: number
}

export interface Limits {
  /** Samples older than this go, in milliseconds. */
  keepMs: number
  /** Size of the file, in bytes, above which the oldest samples go. */
  mostBytes: number
  /** Series that are kept at a time; samples of further ones are refused. */
  mostSeries: number
}

/** Samples that were written, were there before or came too late, and were refused because of too many series. */
interface Written {
  written: number
  late: number
  refused: number
}

export interface Store extends Source {
  write(all: readonly Samples[]): Written
  /** Labels of series that fulfil one of the sets of matchers and have samples between the times. */
  series(sets: readonly (readonly Matcher[])[], from: number, to: number): Labels[]
  /** Removes what is too old or too much. */
  prune(now: number): void
  close(): void
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -4096;
  CREATE TABLE IF NOT EXISTS series (id INTEGER PRIMARY KEY, labels TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE IF NOT EXISTS chunk (
    series INTEGER NOT NULL, first REAL NOT NULL, last REAL NOT NULL, data BLOB NOT NULL, PRIMARY KEY (series, first)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS chunk_last ON chunk (last);
`

/** Samples in a file of SQLite. A sample that `write` has taken survives the end of the process. */
export function openStore(file: string, limits: Limits): Store {
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA auto_vacuum = INCREMENTAL; ${SCHEMA}`)
  return new SqliteStore(db, limits)
}

const numberIn = (row: Record<string, SQLOutputValue> | undefined, name: string) => Number(row?.[name] ?? 0)

class SqliteStore implements Store {
  readonly #db: DatabaseSync
  readonly #limits: Limits
  readonly #byKey = new Map<string, Entry>()
  readonly #byName = new Map<string, Set<Entry>>()

  constructor(db: DatabaseSync, limits: Limits) {
    this.#db = db
    this.#limits = limits
    const rows = db.prepare(
      'SELECT id, labels, min(first) AS first, max(last) AS last FROM series JOIN chunk ON series = id GROUP BY id',
    )
    for (const row of rows.iterate()) {
      const labels = labelsOf(JSON.parse(String(row.labels)) as [string, string][])
      this.#know({ id: numberIn(row, 'id'), labels, first: numberIn(row, 'first'), last: numberIn(row, 'last') })
    }
  }

  write(all: readonly Samples[]): Written {
    const written: Written = { written: 0, late: 0, refused: 0 }
    const changed: (() => void)[] = []
    this.#db.exec('BEGIN IMMEDIATE')
    try {
      for (const samples of all) this.#append(samples, written, changed)
      this.#db.exec('COMMIT')
    } catch (error) {
      this.#db.exec('ROLLBACK')
      for (const undo of changed.reverse()) undo()
      throw error
    }
    return written
  }

  *select(matchers: readonly Matcher[], from: number, to: number): Iterable<Samples> {
    const chunks = this.#db.prepare(
      'SELECT data FROM chunk WHERE series = ? AND last >= ? AND first <= ? ORDER BY first',
    )
    for (const entry of this.#matching(matchers)) {
      if (entry.last < from || entry.first > to) continue
      const parts = chunks.all(entry.id, from, to).map(({ data }) => unpackChunk(data as Uint8Array))
      const [times, values] = [joined(parts.map((part) => part.times)), joined(parts.map((part) => part.values))]
      const [begin, end] = [times.findIndex((time) => time >= from), times.findLastIndex((time) => time <= to)]
      if (begin < 0 || end < begin) continue
      yield { labels: entry.labels, times: times.subarray(begin, end + 1), values: values.subarray(begin, end + 1) }
    }
  }

  series(sets: readonly (readonly Matcher[])[], from: number, to: number): Labels[] {
    const found = new Set(sets.length === 0 ? this.#byKey.values() : sets.flatMap((set) => this.#matching(set)))
    return [...found].filter(({ first, last }) => first <= to && last >= from).map(({ labels }) => labels)
  }

  prune(now: number): void {
    this.#removeUntil(now - this.#limits.keepMs)
    const size = this.#db.prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    const oldest = this.#db.prepare(
      'SELECT last FROM chunk ORDER BY last LIMIT 1 OFFSET (SELECT count(*) / 10 FROM chunk)',
    )
    for (let round = 0; round < 10 && numberIn(size.get(), 'bytes') > this.#limits.mostBytes; round++) {
      this.#removeUntil(numberIn(oldest.get(), 'last') + 1)
    }
  }

  close(): void {
    this.#db.close()
  }

  /** Removes chunks that end before a moment, and series that have none left. */
  #removeUntil(moment: number): void {
    const { changes } = this.#db.prepare('DELETE FROM chunk WHERE last < ?').run(moment)
    if (Number(changes) === 0) return
    const first = this.#db.prepare('SELECT min(first) AS first FROM chunk WHERE series = ?')
    for (const [key, entry] of this.#byKey) {
      if (entry.last >= moment) {
        entry.first = numberIn(first.get(entry.id), 'first')
        continue
      }
      this.#byKey.delete(key)
      this.#byName.get(entry.labels.get(NAME) ?? '')?.delete(entry)
      this.#db.prepare('DELETE FROM series WHERE id = ?').run(entry.id)
    }
    // Each call of the statement gives one free page back.
    this.#db.prepare('PRAGMA incremental_vacuum').all()
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  #know(entry: Entry): void {
    const name = entry.labels.get(NAME) ?? ''
    this.#byKey.set(keyOf(entry.labels), entry)
    const same = this.#byName.get(name)
    if (same) same.add(entry)
    else this.#byName.set(name, new Set([entry]))
  }

  #append(samples: Samples, written: Written, changed: (() => void)[]): void {
    const entry = this.#byKey.get(keyOf(samples.labels)) ?? this.#added(samples.labels, changed)
    if (!entry) {
      written.refused += samples.times.length
      return
    }
    const from = samples.times.findIndex((time) => time > entry.last)
    const fresh = from < 0 ? 0 : samples.times.length - from
    written.late += samples.times.length - fresh
    if (fresh === 0) return
    written.written += fresh
    const { first, last } = entry
    changed.push(() => Object.assign(entry, { first, last }))
    this.#extend(entry, samples.times.subarray(from), samples.values.subarray(from))
  }

  #added(labels: Labels, changed: (() => void)[]): Entry | undefined {
    if (this.#byKey.size >= this.#limits.mostSeries) return undefined
    const { lastInsertRowid } = this.#db
      .prepare('INSERT INTO series (labels) VALUES (?)')
      .run(JSON.stringify([...labels]))
    const entry: Entry = { id: Number(lastInsertRowid), labels, first: Infinity, last: -Infinity }
    this.#know(entry)
    changed.push(() => {
      this.#byKey.delete(keyOf(labels))
      this.#byName.get(labels.get(NAME) ?? '')?.delete(entry)
    })
    return entry
  }

  /** Writes samples behind those of the newest chunk, and into further ones when it is full. */
  #extend(entry: Entry, times: Float64Array, values: Float64Array): void {
    const newest = this.#db
      .prepare('SELECT data FROM chunk WHERE series = ? ORDER BY first DESC LIMIT 1')
      .get(entry.id) as { data: Uint8Array } | undefined
    const open = newest && unpackChunk(newest.data)
    const hasRoom = open !== undefined && open.times.length < SAMPLES_OF_A_CHUNK
    const allTimes = hasRoom ? joined([open.times, times]) : times
    const allValues = hasRoom ? joined([open.values, values]) : values
    const put = this.#db.prepare('INSERT OR REPLACE INTO chunk (series, first, last, data) VALUES (?, ?, ?, ?)')
    for (let at = 0; at < allTimes.length; at += SAMPLES_OF_A_CHUNK) {
      const part = {
        times: allTimes.slice(at, at + SAMPLES_OF_A_CHUNK),
        values: allValues.slice(at, at + SAMPLES_OF_A_CHUNK),
      }
      const [first, last] = [part.times[0] ?? 0, part.times.at(-1) ?? 0]
      put.run(entry.id, first, last, packChunk(part))
      entry.first = Math.min(entry.first, first)
      entry.last = last
    }
  }

  #matching(matchers: readonly Matcher[]): Entry[] {
    const name = matchers.find(({ label, op, value }) => label === NAME && op === '=' && value !== '')
    const candidates = name ? (this.#byName.get(name.value) ?? []) : this.#byKey.values()
    const matches = matcherOf(matchers)
    return [...candidates].filter(({ labels }) => matches(labels))
  }
}

/** Arrays one after the other; bits of NaN stay as they are. */
function joined(parts: readonly Float64Array[]): Float64Array {
  const [only] = parts
  if (only && parts.length === 1) return only
  const whole = new Float64Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
