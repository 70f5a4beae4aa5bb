import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import tar from 'tar-stream'
import { Failure } from '../../../platform/http/errors.ts'
import { partsOfName } from './entry-name.ts'
import { intakeLimits } from './limits.ts'
import type { Packed } from './packed.ts'
import { refuse } from './refuse.ts'

/** The files of an archive by their path below its one top folder. Nothing of it ever touches a disk. */
export type Files = Map<string, Buffer>

/** The budget of one package, shared with all archives inside of it. */
export interface Budget {
  entries: number
  bytes: number
  packedBytes: number
  signal: AbortSignal
}

export function newBudget(packedBytes: number): Budget {
  return { entries: 0, bytes: 0, packedBytes, signal: AbortSignal.timeout(intakeLimits.milliseconds) }
}

/** Reads a .tgz, counting while it is unpacked, and stops at the first thing that is wrong with it. */
export async function readArchive(packed: Packed, budget: Budget, within = ''): Promise<Files> {
  const inside = (name: string) => (within ? `${within}/${name}` : name)
  const compressed = Readable.from(gzipChunks(packed, within))
  const gunzip = createGunzip()
  const extract = tar.extract()
  const files: Files = new Map()
  const counted = counter(budget, within)
  compressed.on('error', (error) => gunzip.destroy(error)).pipe(gunzip)
  const feeding = feed(packed.size, gunzip, extract, counted, budget.signal)
  // Reading may end first, by a refusal; what feeding says then is of no interest.
  feeding.catch(() => undefined)
  try {
    for await (const entry of extract) {
      const name = entry.header.name
      counted.entry(inside(name))
      const parts = partsOfName(name)
      checkType(entry.header.type, inside(name))
      const bytes = await readEntry(entry as unknown as AsyncIterable<Buffer>, inside(name), entry.header.size ?? 0)
      if (entry.header.type === 'file') keep(files, parts, bytes, inside)
    }
    await feeding
  } catch (error) {
    throw asRefusal(error, budget, within)
  } finally {
    compressed.destroy()
    gunzip.destroy()
    extract.destroy()
  }
  return withoutTop(files, within)
}

/** Passes chunks on when the first two bytes are those of gzip; refuses the archive otherwise. */
async function* gzipChunks(packed: Packed, within: string): AsyncGenerator<Buffer> {
  const refusal = () => refuse('It is not a gzip-compressed archive (.tgz).', within || undefined)
  if (packed.size < smallestArchive) throw refusal()
  let position = 0
  for await (const chunk of packed.chunks()) {
    const isGzip = gzipMark.subarray(position).every((byte, at) => at >= chunk.length || chunk[at] === byte)
    if (!isGzip) throw refusal()
    position += chunk.length
    yield chunk
  }
}

/** Bytes of an empty gzip file. */
const smallestArchive = 20
const gzipMark = Buffer.from([0x1f, 0x8b])

function counter(budget: Budget, within: string) {
  return {
    entry(name: string) {
      budget.entries += 1
      if (budget.entries > intakeLimits.entries)
        throw refuse(`The package holds more than ${intakeLimits.entries} entries.`, name)
    },
    bytes(count: number) {
      budget.bytes += count
      if (budget.bytes > intakeLimits.unpackedBytes)
        throw refuse(
          `The package unpacks to more than ${intakeLimits.unpackedBytes / 1024 / 1024} MiB.`,
          within || undefined,
        )
      const isLarge = budget.bytes > intakeLimits.ratioFromBytes
      if (isLarge && budget.bytes / budget.packedBytes > intakeLimits.ratio)
        throw refuse(`The package unpacks to more than ${intakeLimits.ratio} times its size.`, within || undefined)
    },
  }
}

type Extract = ReturnType<typeof tar.extract>
type Counter = ReturnType<typeof counter>

async function feed(
  packedBytes: number,
  gunzip: ReturnType<typeof createGunzip>,
  extract: Extract,
  counted: Counter,
  signal: AbortSignal,
) {
  const stop = () => extract.destroy(new Error('time is over'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of gunzip) {
      signal.throwIfAborted()
      counted.bytes((chunk as Buffer).length)
      if (!extract.write(chunk)) await drained(extract)
    }
    // Bytes behind the end of the compressed data are read by some and not by others.
    if (gunzip.bytesWritten < packedBytes) throw refuse('There is something behind the end of the archive.')
    extract.end(Buffer.alloc(0))
  } catch (error) {
    extract.destroy(error instanceof Error ? error : new Error(String(error)))
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function drained(extract: Extract): Promise<void> {
  return new Promise((done) => {
    const go = () => {
      extract.off('drain', go)
      extract.off('close', go)
      done()
    }
    extract.on('drain', go)
    extract.on('close', go)
  })
}

const kinds: Readonly<Record<string, string>> = {
  link: 'a hard link',
  symlink: 'a symbolic link',
  'character-device': 'a device',
  'block-device': 'a device',
  fifo: 'a named pipe',
}

function checkType(type: string | null | undefined, name: string): void {
  if (type === 'file' || type === 'directory') return
  throw refuse(`It is ${kinds[type ?? ''] ?? 'a special entry'}; a package may hold files and folders only.`, name)
}

async function readEntry(entry: AsyncIterable<Buffer>, name: string, size: number): Promise<Buffer> {
  const limit = intakeLimits.fileBytes
  if (size > limit) throw refuse(`It is larger than ${limit / 1024 / 1024} MiB.`, name)
  const chunks: Buffer[] = []
  for await (const chunk of entry) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function keep(files: Files, parts: readonly string[], bytes: Buffer, inside: (name: string) => string): void {
  const path = parts.join('/')
  if (path === '') throw refuse('A file has no name.')
  if (files.has(path)) throw refuse('It is in the package twice.', inside(path))
  files.set(path, bytes)
}

/** Takes off the one folder that everything lies in. */
function withoutTop(files: Files, within: string): Files {
  const tops = new Set([...files.keys()].map((path) => path.slice(0, Math.max(0, path.indexOf('/')))))
  if (files.size === 0) throw refuse('The archive is empty.', within || undefined)
  if (tops.has('')) throw refuse('A chart lies in one folder, but there are files beside it.', within || undefined)
  if (tops.size > 1) {
    throw refuse(
      `A chart lies in one folder, but there are ${tops.size}: ${[...tops].slice(0, 3).join(', ')}.`,
      within || undefined,
    )
  }
  return new Map([...files].map(([path, bytes]) => [path.slice(path.indexOf('/') + 1), bytes]))
}

/** The words of the decompressor and the archive reader, in ours. */
function asRefusal(error: unknown, budget: Budget, within: string): Error {
  if (error instanceof Failure) return error
  if (budget.signal.aborted) return refuse('Looking through the package takes too long.', within || undefined)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const message = error instanceof Error ? error.message : ''
  if (code === 'Z_BUF_ERROR' || /unexpected end/i.test(message)) {
    return refuse('The archive is cut off before its end.', within || undefined)
  }
  // Its own header was looked at before, so this one is of what follows the compressed data.
  if (/incorrect header check/.test(message))
    return refuse('There is something behind the end of the archive.', within || undefined)
  if (code.startsWith('Z_')) return refuse('The compressed data is damaged.', within || undefined)
  if (/tar header|tar/i.test(message)) return refuse('What is compressed is not a tar archive.', within || undefined)
  return error instanceof Error ? error : new Error(String(error))
}
