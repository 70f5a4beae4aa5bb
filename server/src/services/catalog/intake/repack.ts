import { createHash } from 'node:crypto'
import { createGzip } from 'node:zlib'
import tar from 'tar-stream'
import type { Files } from './read-archive.ts'

export interface Package {
  bytes: Buffer
  /** SHA-256 of the bytes. */
  digest: string
}

/** Byte of a gzip header that names the system that packed it, and its value for "unknown". */
const systemByte = 9
const unknownSystem = 0xff

/** Packs files in one way only: sorted, without times, owners, rights or the name of the system. */
export async function repack(name: string, files: Files): Promise<Package> {
  const archive = tar.pack()
  const packing = collect(archive.pipe(createGzip({ level: 9 })))
  const rank = (path: string) => (path === 'Chart.yaml' ? 0 : 1)
  const sorted = [...files].sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))
  for (const [path, bytes] of sorted) {
    archive.entry({ name: `${name}/${path}`, mode: 0o644, mtime: new Date(0), uid: 0, gid: 0 }, bytes)
  }
  archive.finalize()
  return packing
}

async function collect(gzip: AsyncIterable<Buffer>): Promise<Package> {
  const chunks: Buffer[] = []
  const hash = createHash('sha256')
  for await (const chunk of gzip) {
    if (chunks.length === 0) chunk[systemByte] = unknownSystem
    hash.update(chunk)
    chunks.push(chunk)
  }
  return { bytes: Buffer.concat(chunks), digest: `sha256:${hash.digest('hex')}` }
}
