import { text } from 'node:stream/consumers'
import { zstdDecompressSync } from 'node:zlib'
import { extract } from 'tar-stream'
import { expect, test } from 'vitest'
import { digestOf, type Entry, layerOf } from './layer.ts'

const entries: Entry[] = [
  { path: 'usr/bin/node', mode: 0o755, content: Buffer.from('program') },
  { path: 'app/node_modules/@quayside/contract', target: '../../contract' },
  { path: 'data', folder: true, mode: 0o700, owner: 65532 },
]

test('a layer has its folders first, nobody else as owner and no times', async () => {
  const { blob, diffId } = await layerOf(entries)
  const tar = zstdDecompressSync(blob)
  expect(digestOf(tar)).toBe(diffId)
  const seen: unknown[] = []
  const reader = extract()
  reader.end(tar)
  for await (const entry of reader) {
    const { name, mode, uid, mtime, linkname } = entry.header
    expect(mtime?.getTime()).toBe(0)
    seen.push([name, mode.toString(8), uid, linkname ?? (await text(entry))])
    entry.resume()
  }
  expect(seen).toEqual([
    ['app', '755', 0, ''],
    ['app/node_modules', '755', 0, ''],
    ['app/node_modules/@quayside', '755', 0, ''],
    ['app/node_modules/@quayside/contract', '777', 0, '../../contract'],
    ['data', '700', 65532, ''],
    ['usr', '755', 0, ''],
    ['usr/bin', '755', 0, ''],
    ['usr/bin/node', '755', 0, 'program'],
  ])
})

test('the order in which entries are given does not matter, and their content does', async () => {
  const digest = async (given: readonly Entry[]) => digestOf((await layerOf(given)).blob)
  expect(await digest(entries.toReversed())).toBe(await digest(entries))
  const changed = entries.map((entry) => ('content' in entry ? { ...entry, content: Buffer.from('other') } : entry))
  expect(await digest(changed)).not.toBe(await digest(entries))
})
