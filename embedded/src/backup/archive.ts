import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { errorCode, Obstacle } from '@quayside/embedded-postgres/obstacle'
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
  const draft = `${file}.${randomBytes(4).toString('hex')}.part`
  const tar = pack()
  const stop = new AbortController()
  const target = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true })
  const written = pipeline(tar, createGzip(), target, { signal: stop.signal }).catch((error) => {
    throw unwritable(file, error)
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
    await Promise.race([isTaken, written]).catch(async (error) => {
      // The reason is with the pipeline; an entry only says that there is none any more.
      if (tar.destroyed) await written
      throw error
    })
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
      publish(draft, file)
    },
    async abandon() {
      stop.abort()
      await written.catch(() => undefined)
      if (existsSync(draft)) rmSync(draft)
    },
  }
}

export const taken = (file: string) => new Obstacle(`${file} is there already. Name a file that is not.`)

/** Gives a whole draft its name, unless another file has got that meanwhile. */
function publish(draft: string, file: string): void {
  try {
    linkSync(draft, file)
    rmSync(draft)
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (code === 'EEXIST' || existsSync(file)) throw taken(file)
    // Some file systems, such as exFAT, have no links.
    if (!['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(code)) throw unwritable(file, error)
    renameSync(draft, file)
  }
}

/** The obstacle in words for a person, where a backup could not be written; else the error itself. */
export function unwritable(file: string, error: unknown): unknown {
  const code = errorCode(error)
  const folder = dirname(file)
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new Obstacle(`There is no folder ${folder}. Make it, or name a file in another folder.`)
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new Obstacle(`The disk of ${folder} is full. Free some space, or name a file on another disk.`)
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return new Obstacle(`No permission to write ${file}. Name a file in a folder of yours.`)
  return error
}

const damaged = (file: string) => new Obstacle(`${file} is not a Quayside backup, or it is damaged or truncated.`)

/** Reads a backup entry by entry; one that is damaged or truncated is refused in a sentence. */
export async function readArchive(file: string, use: (name: string, content: Buffer) => Promise<void>): Promise<void> {
  const source = createReadStream(file)
  await once(source, 'open').catch(() => {
    throw new Obstacle(`${file} cannot be read.`)
  })
  const tar = extract()
  const piped = pipeline(source, createGunzip(), tar).catch(() => {
    throw damaged(file)
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
  if (!isWhole) throw damaged(file)
  return manifest
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
