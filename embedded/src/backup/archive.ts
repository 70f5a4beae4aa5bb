import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Obstacle } from '@quayside/embedded-postgres/obstacle'
import { extract, pack } from 'tar-stream'
import { isManifest, type Manifest, manifestName } from './manifest.ts'

const digestOf = (content: Buffer) => createHash('sha256').update(content).digest('hex')

/** A backup that is being written; its file appears, for its owner alone, when it is whole. */
export interface ArchiveWriter {
  add(name: string, content: Buffer): Promise<void>
  /** Writes what the backup is, with the digests of everything in it. */
  close(about: Omit<Manifest, 'entries'>): Promise<void>
  /** Leaves nothing. */
  abandon(): Promise<void>
}

export function writeArchive(file: string): ArchiveWriter {
  const draft = `${file}.part`
  const tar = pack()
  const stop = new AbortController()
  const written = pipeline(tar, createGzip(), createWriteStream(draft, { mode: 0o600, flags: 'wx' }), {
    signal: stop.signal,
  })
  // Reported by whoever waits for the end.
  written.catch(() => undefined)
  const entries: Manifest['entries'] = []

  async function put(name: string, content: Buffer): Promise<void> {
    const isTaken = new Promise<void>((resolve, reject) => {
      tar.entry({ name, size: content.length, mode: 0o600, mtime: new Date(0) }, content, (error) =>
        error ? reject(error) : resolve(),
      )
    })
    // A disk that is full ends the pipeline, and the entry is never taken.
    await Promise.race([isTaken, written])
  }

  return {
    async add(name, content) {
      entries.push({ name, bytes: content.length, sha256: digestOf(content) })
      await put(name, content)
    },
    async close(about) {
      await put(manifestName, Buffer.from(JSON.stringify({ ...about, entries }, null, 2)))
      tar.finalize()
      await written
      renameSync(draft, file)
    },
    async abandon() {
      stop.abort()
      await written.catch(() => undefined)
      rmSync(draft, { force: true })
    },
  }
}

/** Reads a backup entry by entry; one that is damaged or cut off is refused in a sentence. */
export async function readArchive(file: string, use: (name: string, content: Buffer) => Promise<void>): Promise<void> {
  const damaged = new Obstacle(`${file} is no backup of Quayside, or it is damaged or cut off.`)
  const source = createReadStream(file)
  await once(source, 'open').catch(() => {
    throw new Obstacle(`${file} cannot be read.`)
  })
  const tar = extract()
  const piped = pipeline(source, createGunzip(), tar).catch(() => {
    throw damaged
  })
  const reading = (async () => {
    for await (const entry of tar) await use(entry.header.name, await buffer(entry))
  })()
  const [read, whole] = await Promise.allSettled([reading, piped])
  if (whole.status === 'rejected') throw whole.reason
  if (read.status === 'rejected') throw read.reason
}

/** Reads a whole backup and compares its digests, so that nothing is begun with half of one. */
export async function manifestOf(file: string): Promise<Manifest> {
  const found = new Map<string, string>()
  let text = ''
  await readArchive(file, async (name, content) => {
    if (name === manifestName) text = content.toString()
    else found.set(name, digestOf(content))
  })
  const manifest = parse(text)
  const isWhole =
    isManifest(manifest) &&
    manifest.entries.length === found.size &&
    manifest.entries.every(({ name, sha256 }) => found.get(name) === sha256)
  if (!isWhole) throw new Obstacle(`${file} is no backup of Quayside, or it is damaged or cut off.`)
  return manifest
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
