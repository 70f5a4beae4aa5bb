import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

/** Packs a chart folder as `helm package` does; the same folder gives the same bytes every time. */
export function packChart(folder: string, name: string): Promise<Buffer<ArrayBuffer>> {
  return packFiles(name, Object.fromEntries(filesBelow(folder).map((path) => [path, readFileSync(join(folder, path))])))
}

/** A chart package of these files, in their order. */
export async function packFiles(
  name: string,
  files: Readonly<Record<string, string | Buffer>>,
): Promise<Buffer<ArrayBuffer>> {
  const archive = pack()
  const packed = buffer(archive.pipe(createGzip({ level: 9 })))
  for (const [path, content] of Object.entries(files))
    archive.entry({ name: `${name}/${path}`, mode: 0o644, mtime: new Date(0) }, content)
  archive.finalize()
  return Buffer.from(await packed)
}

/** Chart.yaml comes first: readers that only want to know what this is can stop there. */
function filesBelow(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
  const rank = (path: string) => (path === 'Chart.yaml' ? `0${path}` : `1${path}`)
  return files.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
}
