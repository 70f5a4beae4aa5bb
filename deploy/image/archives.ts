import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import type { Entry } from './layer.ts'

/** The entries of a tar whose paths are wanted; the paths lose a leading `./`. */
export async function entriesOf(tar: Readable, isWanted: (path: string) => boolean): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const each of tar.pipe(extract())) {
    const { name, type, mode = 0o644, linkname } = each.header
    const path = name.replace(/^\.\//, '')
    if (isWanted(path) && type === 'symlink' && linkname) entries.push({ path, target: linkname })
    if (isWanted(path) && type === 'file') {
      entries.push({ path, mode: mode & 0o111 ? 0o755 : 0o644, content: await buffer(each) })
    } else each.resume()
  }
  return entries
}
