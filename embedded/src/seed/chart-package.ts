import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { pack } from 'tar-stream'

/** Packs a chart folder as `helm package` does; the same folder gives the same bytes every time. */
export async function packChart(folder: string, name: string): Promise<Buffer> {
  const archive = pack()
  const packed = buffer(archive.pipe(createGzip({ level: 9 })))
  for (const path of filesBelow(folder)) {
    archive.entry({ name: `${name}/${path}`, mode: 0o644, mtime: new Date(0) }, readFileSync(join(folder, path)))
  }
  archive.finalize()
  return packed
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
