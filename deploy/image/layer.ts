import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { constants, zstdCompressSync } from 'node:zlib'
import { pack } from 'tar-stream'

/** A file, a symbolic link or a folder of the image, by its path without a slash at the start. */
export type Entry = { path: string; mode?: number; owner?: number } & (
  | { content: Buffer }
  | { target: string }
  | { folder: true }
)

/** A layer as registries keep it, and the digest of its tar, by which a configuration names it. */
export interface Layer {
  blob: Buffer
  diffId: string
}

export const digestOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/**
 * Packs entries in the order of their paths, with the folders above them and without times, so that the same entries are
 * the same bytes on every machine. Zstandard, because what gzip makes depends on the processor.
 */
export async function layerOf(entries: readonly Entry[]): Promise<Layer> {
  const archive = pack()
  const whole = buffer(archive)
  for (const entry of inOrder(entries)) archive.entry(...headerOf(entry))
  archive.finalize()
  const tar = await whole
  const blob = zstdCompressSync(tar, { params: { [constants.ZSTD_c_compressionLevel]: 12 } })
  return { blob, diffId: digestOf(tar) }
}

function inOrder(entries: readonly Entry[]): Entry[] {
  const all = new Map<string, Entry>()
  for (const { path } of entries)
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1))
      all.set(path.slice(0, at), { path: path.slice(0, at), folder: true })
  for (const entry of entries) all.set(entry.path, entry)
  return [...all.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}

function headerOf(entry: Entry): Parameters<ReturnType<typeof pack>['entry']> {
  const { path: name, owner = 0 } = entry
  const common = { name, uid: owner, gid: owner, mtime: new Date(0) }
  if ('folder' in entry) return [{ ...common, type: 'directory', mode: entry.mode ?? 0o755 }, '']
  if ('target' in entry) return [{ ...common, type: 'symlink', linkname: entry.target, mode: 0o777 }, '']
  return [{ ...common, type: 'file', mode: entry.mode ?? 0o644 }, entry.content]
}
