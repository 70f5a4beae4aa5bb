import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import tar from 'tar-stream'
import type { Files } from './read-archive.ts'

export interface Package {
  bytes: Buffer
  /** SHA-256 of the bytes. */
  digest: string
}

/** Packs files in one way only: sorted, without times, owners or rights. */
export async function repack(name: string, files: Files): Promise<Package> {
  const archive = tar.pack()
  const packed = buffer(archive.pipe(createGzip({ level: 9 })))
  const rank = (path: string) => (path === 'Chart.yaml' ? 0 : 1)
  const sorted = [...files].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
  for (const [path, bytes] of sorted) {
    archive.entry({ name: `${name}/${path}`, mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 }, bytes)
  }
  archive.finalize()
  const bytes = await packed
  // The header says which system packed it; everywhere the same from here.
  bytes[9] = 0xff
  return { bytes, digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}` }
}
